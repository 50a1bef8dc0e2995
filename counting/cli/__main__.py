"""`python -m counting.cli`."""

import sys

from counting.cli.commands import main

if __name__ == "__main__":
    sys.exit(main())
