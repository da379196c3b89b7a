import js from "@eslint/js";
import globals from "globals";

// What each folder of scripts runs in.
const places = [
  [["src/plyground/web/static/js/**", "src/plyground/report/**", "src/plyground/course/outputs/**", "src/plyground/integrations/**", "docs/_live/**"], { ...globals.browser, ...globals.worker }],
  [["src/plyground/web/static/*.js"], globals.serviceworker],
  [["src/plyground/referee/templates/**", "benchmarks/**", "tests/**"], { ...globals.node, ...globals.browser }],
];

export default [
  js.configs.recommended,
  { rules: { "no-unused-vars": ["error", { varsIgnorePattern: "^_$", argsIgnorePattern: "^_", caughtErrors: "none" }], eqeqeq: ["error", "always", { null: "ignore" }], "no-var": "error", "prefer-const": "error", "no-empty": ["error", { allowEmptyCatch: true }] } },
  ...places.map(([files, names]) => ({ files, languageOptions: { globals: names } })),
];
