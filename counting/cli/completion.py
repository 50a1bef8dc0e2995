"""The command that prints a shell's completion script."""

from __future__ import annotations

from typing import Literal

# The script defines a function. If zsh loads the file by itself, it calls the function; if a user sources the file, the
# function is registered.
_ZSH_END = """
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _cyclopts_counting "$@"
else
  compdef _cyclopts_counting counting
fi
"""


def completion(shell: Literal["bash", "zsh", "fish"]) -> None:
    """Print the script that completes commands, options, games, bets and counts in a shell.

    Example: counting completion bash > ~/.local/share/bash-completion/completions/counting

    Example: counting completion zsh > ~/.zfunc/_counting

    Parameters
    ----------
    shell
        bash: save the script as in the first example; new shells read it. zsh: save it as _counting in a folder of
        fpath, and add the folder to fpath before compinit runs. fish: save it as
        ~/.config/fish/completions/counting.fish.
    """
    from counting.cli.commands import app_for

    print(app_for().generate_completion(shell=shell).rstrip(), end=_ZSH_END if shell == "zsh" else "\n")
