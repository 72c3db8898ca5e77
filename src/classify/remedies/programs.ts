import { type RemedyRow, tools } from './row.js';

/** Tools that run commands. */
export const SHELLS =
  /^(?:bash|shell|sh|zsh|terminal|powershell|cmd|exec(?:ute)?(?:_command)?|run(?:_command|_shell_command|_in_terminal)?|local_shell|container\.exec|python|ipython|jupyter)(?![\w-])/i;

/** Messages of the programs that agents run in a shell. */
export const PROGRAM_ROWS: readonly RemedyRow[] = [
  {
    id: 'program/other-system',
    who: 'agent',
    says: /command not found: ((?:Get|Set|New|Remove|Select|Measure|Where|Write|Test)-\w{2,20}|timeout|gtimeout|realpath|nproc|shuf|tac|setsid|stdbuf|free|sha256sum|md5sum|xdg-open)$|(?:^|\s)((?:Get|Set|New|Remove|Select|Measure|Where|Write|Test)-\w{2,20}|timeout|nproc|shuf|tac|setsid|stdbuf|free|sha256sum|md5sum|xdg-open|pbcopy): (?:command )?not found$/im,
    todo: 'This system has no $1: use what it offers, such as the time limit of the tool.',
    rule: tools(
      'Before you use a program that only some systems have, such as timeout or nproc, check that it exists here, and use the time limit of the tool call instead.',
    ),
    example: 'zsh: command not found: timeout',
    source: 'macOS and BSD without GNU coreutils; minimal Linux images; PowerShell commands in bash',
  },
  {
    id: 'program/not-executable',
    who: 'agent',
    says: /(?:^|sh: |line \d{1,6}: |\): ?\d*:? ?)(\.{0,2}\/[\w./@-]{1,160}): [Pp]ermission denied$|permission denied: (\.{1,2}\/[\w./@-]{1,160})$/m,
    todo: 'Make $1 executable, or run it with its interpreter.',
    rule: tools(
      'Before you run a script by its path, check that it is executable, or start it with its interpreter, such as bash or python.',
    ),
    example: 'bash: ./gradlew: Permission denied',
    source: 'bash, zsh',
  },
  {
    id: 'program/administrator',
    who: 'operator',
    says: /sudo: (?:a terminal|a password|no tty|sorry|\d+ incorrect)|a terminal is required to (?:read the password|authenticate)|must be (?:run as |superuser|root)|are you root\?|requires? (?:root|administrator|elevated) (?:rights|privileges|permissions)/i,
    todo: 'A person has to run this as administrator, or give the agent a way without.',
    example: 'sudo: a terminal is required to read the password',
    source: 'sudo, apt, Windows',
  },
  {
    id: 'program/too-old',
    who: 'operator',
    says: /GLIBC(?:XX)?_[\d.]{3,8}'? not found|(?:engine|EBADENGINE|Unsupported engine).{0,80}(?:incompatible|Expected|required)|requires (?:a )?(?:different )?(?:node|python|go|java|ruby|rust|rustc|php)(?:\.js)?(?: version)?:? ?(?:>=|v?\d|newer)|go\.mod requires go >= ?[\d.]+|UnsupportedClassVersionError|unable to find utility "/i,
    todo: 'Install the version that the message asks for on this machine.',
    example: "node: version `GLIBC_2.28' not found (required by node)",
    source: 'Node.js, Python, Go, Java, glibc, Xcode',
  },
  {
    id: 'operator/rights',
    who: 'operator',
    says: /\b(?:AccessDenied|AccessDeniedException|UnauthorizedOperation|PERMISSION_DENIED)\b|is not authorized to perform|(?:does not|doesn't) have (?:the )?(?:\S+ )?permissions? (?:to|for)|Error from server \(Forbidden\)|pull access denied|Resource not accessible by (?:integration|personal access token)/,
    todo: 'Give the account that this program uses the right to do this.',
    example: 'An error occurred (AccessDenied) when calling the PutObject operation: Access Denied',
    source: 'AWS, Google Cloud, Kubernetes, GitHub',
  },
  {
    id: 'program/package-conflict',
    who: 'agent',
    says: /ERESOLVE|conflicting peer dependency|ResolutionImpossible|conflicting dependencies|version solving failed|failed to select a version for|Your requirements could not be resolved/i,
    todo: 'Read which package demands which version, and change that one.',
    rule: tools(
      'When packages cannot be installed because their versions conflict, read which package demands which version and change that one instead of forcing the installation.',
    ),
    example: 'npm error ERESOLVE unable to resolve dependency tree',
    source: 'npm, pip, Dart, cargo, Composer',
  },
  {
    id: 'program/package-unknown',
    who: 'agent',
    says: /npm (?:error|ERR!) (?:code )?E?404|is not in (?:this|the npm) registry|No matching (?:distribution|package|version) (?:found|named)|Could not find a version that satisfies|No candidates were found|could not find .{1,80} in registry|Unable to locate package|No available formula/i,
    todo: 'Look up the exact name and version of the package: this one is not offered.',
    rule: tools(
      'Before you install a package that the project does not declare yet, look up its exact name and the versions that exist.',
    ),
    example: 'ERROR: No matching distribution found for leftpads',
    source: 'npm, pip, cargo, apt, Homebrew',
  },
  {
    id: 'program/managed-python',
    who: 'agent',
    says: /externally-managed-environment|This environment is externally managed/i,
    todo: 'Install the package into a virtual environment.',
    rule: tools('Before you install Python packages, create or activate the virtual environment of the project.'),
    example: 'error: externally-managed-environment',
    source: 'pip (PEP 668)',
  },
  {
    id: 'program/local-module',
    who: 'agent',
    says: /Cannot find module '(\.{1,2}\/[^'\n]{1,120})'|Could not resolve "(\.{1,2}\/[^"\n]{1,120})"|Failed to (?:resolve import|load url) "?(\.{1,2}\/[^"\s]{1,120})|ImportError: cannot import name '(\w{1,60})'/,
    todo: 'Correct the import: $1 is not there.',
    rule: tools(
      'Before you import from a file of the project, look at its path and at the names that it exports, and correct all imports after moving a file.',
    ),
    example: "Error: Cannot find module './utils'",
    source: 'Node.js, esbuild, Vite, Python',
  },
  {
    id: 'program/pattern',
    who: 'agent',
    says: /unterminated (?:substitute|address|`s')|unterminated `s' command|unknown option to `s'|extra characters (?:after command|at the end of)|invalid command code|Unmatched [([{\\]|parentheses not balanced|brackets .{0,12}not balanced|regex parse error|invalid (?:regular expression|regex|preceding regular)|unbalanced parenthesis|repetition-operator operand invalid/i,
    todo: 'Escape the special characters, or search for fixed text.',
    rule: tools(
      'When you search for text with brackets, slashes, quotes or dots, use the option for fixed text or escape them, and change files with the edit tool instead of sed.',
    ),
    example: 'rg: regex parse error:',
    source: 'grep, ripgrep, sed, Python re',
  },
  {
    id: 'program/data-form',
    who: 'agent',
    task: SHELLS,
    says: /\bjq: (?:error|parse error)|JSONDecodeError|Expecting value: line \d|Unexpected (?:token|non-whitespace|end of).{0,60}JSON|is not valid JSON|yaml: line \d|YAMLError|mapping values are not allowed/i,
    todo: 'Look at the data first: it has another form than the command expects.',
    rule: tools(
      'Before you pick fields out of a file or of the output of a command, print its first lines and check that it has the expected form.',
    ),
    example: 'jq: error (at <stdin>:1): Cannot index array with string "name"',
    source: 'jq, Python json, Node.js, YAML parsers',
  },
  {
    id: 'program/folder-option',
    who: 'agent',
    says: /^(?:rm|cp|mv|rmdir|unlink)\b.{0,160}(?:is a directory|omitting directory|not empty)|ENOTEMPTY|-r not specified/im,
    todo: 'This is a folder: use the option for whole folders if all of it is meant.',
    rule: tools(
      'Before you copy, move or remove a path, check whether it is a folder, and use the option for whole folders only if everything in it is meant.',
    ),
    example: 'rm: build: is a directory',
    source: 'coreutils, BSD, Node.js',
  },
  {
    id: 'program/exists',
    who: 'agent',
    says: /^(?:mkdir|ln|mv|cp|touch)\b.{0,160}(?:File exists|already exists)|EEXIST|(?:container )?name .{1,80} is already in use|Error from server \(AlreadyExists\)/im,
    todo: 'It exists already: look first, or use the option that accepts it.',
    rule: tools(
      'Before you create a folder or a link, check whether it exists, or use the option that accepts an existing one.',
    ),
    example: "mkdir: cannot create directory 'out': File exists",
    source: 'coreutils, BSD, Node.js, Docker, Kubernetes',
  },
  {
    id: 'program/no-such-object',
    who: 'agent',
    says: /No such (?:container|image|service|volume|network|object)|Error from server \(NotFound\)|doesn't have a resource type|no pull requests? found|could not (?:find|determine) (?:any )?(?:base repo|pull request|release|issue)|release not found/i,
    todo: 'List what exists: this name is not among them.',
    rule: tools(
      'Before you name a container, a resource, a pull request or a release in a command, take its name from a list of those that exist.',
    ),
    example: 'Error: No such container: web',
    source: 'Docker, Kubernetes, GitHub CLI',
  },
  {
    id: 'program/server-not-up',
    who: 'agent',
    task: SHELLS,
    says: /curl: \((?:7|52|56)\).{0,80}(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])|wget: .{0,60}localhost.{0,60}refused|net::ERR_CONNECTION_REFUSED.{0,40}localhost/i,
    todo: 'Start the server, and wait until it answers before calling it.',
    rule: tools(
      'Before you send requests to a server that you started, wait until it answers, and read its output if it does not.',
    ),
    example: "curl: (7) Failed to connect to localhost port 8080: Couldn't connect to server",
    source: 'curl, wget, Chromium',
  },
  {
    id: 'program/usage',
    who: 'agent',
    says: /missing (?:file )?operand|(?<![\s\S])usage: \S|(?:accepts|requires|expected?|needs) (?:at (?:least|most) |exactly )?(?:\d+|one|two|an?) (?:arg|argument|operand|value)(?:\(s\)|s)?\b|too (?:few|many) (?:positional )?(?:arguments|operands)(?! in call)|the following (?:required )?arguments (?:are|were) (?:required|not provided)/im,
    todo: 'Read the usage of the program: its arguments are missing or too many.',
    rule: tools(
      'Before you call a program or script for the first time, read its usage, and give the arguments that it asks for.',
    ),
    example: "diff: missing operand after 'a'",
    source: 'coreutils, argparse, clap, cobra',
  },
];

/** Bugs in the program that ran. Any other row is narrower. */
export const EXCEPTION_ROWS: readonly RemedyRow[] = [
  {
    id: 'program/exception',
    who: 'agent',
    task: SHELLS,
    says: /^(?![\s\S]*(?:Connection|Timeout|HTTP|SSL|Auth|Permission|FileNotFound|ModuleNotFound|Syntax|Indentation|JSONDecode|Assertion)\w{0,20}(?:Error|Exception))[\s\S]*(?:^Traceback \(most recent call last\)|(?:^|[\s.])(?:Type|Key|Index|Attribute|Value|Name|ZeroDivision|Runtime|UnboundLocal|Range|Reference|NoMethod|Argument|Recursion|Unicode\w{2,6})Error\b|(?:NullPointer|IllegalArgument|IllegalState|ClassCast|IndexOutOfBounds|NumberFormat|NullReference|InvalidOperation)Exception|thread '[^'\n]{0,80}' .{0,20}panicked at|^panic: |^(?:unsupported operand type|name '\w{1,60}' is not defined|'\w{1,60}' object (?:is not|has no)|list index out of range|invalid literal for)|Segmentation fault|core dumped|Exception in thread)/m,
    todo: 'The program that ran has a bug: read the trace and correct the line that it names.',
    example: 'Segmentation fault (core dumped)',
    source: 'Python, Java, JavaScript, Rust, Go, C',
  },
  {
    id: 'host/internal-bug',
    who: 'host',
    says: /^(?:TypeError: |ReferenceError: )?.{0,80}(?:is not a function|is not iterable|Cannot read propert(?:y|ies) of (?:undefined|null)|is not a constructor)|^(?:undefined|null) is not an object/i,
    todo: 'The tool itself has a bug: report it to its author with the version, and use another tool until it is fixed.',
    example: '(0 , parse_default.run) is not a function',
    source: 'JavaScript engines, in tools and MCP servers',
  },
];
