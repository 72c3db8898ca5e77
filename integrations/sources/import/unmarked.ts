import { tellingPart } from './tool-error.js';

/** Programs that run tests, builds or linters. */
const RUNNER =
  /(?:^|[\s;&|(])(?:go (?:test|build|vet|run)|golangci-lint|staticcheck|(?:npm|pnpm|yarn|bun|deno)(?: run)? [\w:.-]+|npx [\w@/-]+|jest|vitest|mocha|playwright|pytest|py\.test|tox|nox|python3? -m (?:pytest|unittest|mypy)|ruff|flake8|pylint|mypy|black|cargo (?:test|build|check|clippy|nextest)|mise run|make|just|task|bazel|gradle\w*|\.\/gradlew|mvn|\.\/mvnw|sbt|dotnet (?:test|build)|swift (?:test|build)|xcodebuild|ctest|cmake --build|tsc|eslint|prettier|biome|rspec|rubocop|phpunit|phpstan|mix test|shellcheck|terraform (?:plan|validate))\b/;
/** Filters after which the exit code of the run is lost. */
const CUT = /\|\s*(?:tail|head|grep|egrep|rg|sed|awk|cut|less|more|cat|tee|sort|uniq|wc|jq)\b/;
/** Options and operators that keep or discard the exit code on purpose. */
const DELIBERATE = /set -o pipefail|set -\w*o pipefail|PIPESTATUS|pipestatus|\|\|\s*(?:true|:|echo)/;

/** Lines by which runners themselves say that a run failed. */
const FAILED = [
  /^(?:\s*--- FAIL: |FAIL(?:\s|$)|FAILED \S+::|\s*FAILED \()/m,
  /\[build failed\]|^(?:\[[\w:-]+\] )?ERROR task failed|\] ERROR task failed/m,
  /^(?:\[[\w:-]+\] )?[1-9]\d* issues?:\s*$/m,
  /^.{0,40}\b[1-9]\d* (?:failed|failing)\b(?:[,;)]|\s+\||\s+\d|$)/m,
  /^Found [1-9]\d* errors?\b|^[✖✗] [1-9]\d* problems?/m,
  /\berror TS\d{4,5}:|^error(?:\[E\d{4}\])?: (?:could not compile|aborting)|^make(?:\[\d+\])?: \*\*\* |^npm (?:ERR!|error) |^BUILD FAILED|^FAILURES!$/m,
  /^test result: FAILED|^\* What went wrong:/m,
];
const MAX_READ = 60_000;

/**
 * Returns the failure that a runner reports in its output although the call counts as a success, because the output went
 * through a filter and the exit code was lost; `undefined` if there is none.
 */
export function unmarkedFailure(command: string, output: string): string | undefined {
  if (!RUNNER.test(command) || !CUT.test(command) || DELIBERATE.test(command)) return undefined;
  const text = output.slice(-MAX_READ);
  if (!FAILED.some((pattern) => pattern.test(text))) return undefined;
  return tellingPart(text);
}
