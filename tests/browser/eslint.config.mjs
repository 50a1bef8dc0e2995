// The rules for the pages' scripts: `nox -s scripts`. Each file of the calculator has one name that the others use.
const names = (list) => Object.fromEntries(list.split(" ").map((name) => [name, "readonly"]));

export default [
  {
    files: ["**/*.js"],
    ignores: ["**/*.min.js"],
    languageOptions: {
      ecmaVersion: 2024,
      sourceType: "script",
      globals: names(
        "document window addEventListener getComputedStyle matchMedia devicePixelRatio localStorage sessionStorage navigator Blob URL " +
          "setTimeout clearTimeout location history URLSearchParams console uPlot Numbers pricing shoe words counts tables chart spelling sources layouts log",
      ),
    },
    rules: {
      "no-undef": "error",
      "no-unused-vars": ["error", { vars: "local" }],
      "no-redeclare": "off",
      "prefer-const": "error",
      "no-var": "error",
      eqeqeq: "error",
      "no-implicit-globals": "off",
      "no-shadow": "error",
      "no-fallthrough": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-unsafe-finally": "error",
      "no-unreachable": "error",
      "no-dupe-keys": "error",
      "no-self-compare": "error",
    },
  },
  {
    files: ["counting/app/**/*.js"],
    languageOptions: {
      sourceType: "module",
      globals: names("fetch DOMParser EventSource FormData Event AbortController"),
    },
  },
];
