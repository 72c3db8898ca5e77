import { randomInt } from 'node:crypto';
import type { SandboxSettings } from './sandbox-options.js';

/** Folders every command may read, if they exist. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/etc/alternatives', '/etc/ld.so.cache'];
/** Files that name resolution and TLS need. */
const NETWORK = ['/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf', '/etc/ssl'];
/** Parts of the machine that the command gets as its own: mounts, shared memory, host name, processes. */
const NAMESPACES = ['--mount', '--ipc', '--uts', '--pid', '--fork', '--kill-child'];

/** Address space that a Node process reserves and does not use. The kernel counts it as memory. */
const RESERVED_MB = 1024;

/** Path of programs, unless the environment of the command has another. */
export const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin';

/** Prints the files that were in a changed folder before, and are not now: an overlay does not list all of them. */
const LOST = `for folder; do
  for each in "/.layers/before/$folder"/* "/.layers/before/$folder"/.[!.]*; do
    path=\${each#/.layers/before/./}
    if [ -e "$each" -o -L "$each" ] && [ ! -e "$0/$path" -a ! -L "$0/$path" ]; then printf "%s\\0" "$path"; fi
  done
done`;

/**
 * Builds the file system of the command and starts it without privileges. Runs as the first process of its own process
 * namespace: when it ends, the kernel kills every process that is left. All input arrives as arguments. After the command it
 * reports the processes that are left, with half a second to end, and the files of the folder that changed. It has a path of
 * its own, as the command may have written programs to the folders of its path.
 */
const SETUP = `
set -e
root=$1 files=$2 size=$3 user=$4 folder=$5 processes=$6 data=$7 file=$8 path=$9
shift 9
export PATH=${SYSTEM_PATH}
mount -t tmpfs -o "size=$size,nr_inodes=20k,mode=755,nosuid,nodev" tmpfs "$root"
cd "$root"
mkdir scratch proc dev old
while [ "$1" != linked ]; do
  if [ -e ".$1" ]; then :
  elif [ -L "$1" ]; then mkdir -p ".\${1%/*}"; cp -P "$1" ".$1"
  elif [ -d "$1" ]; then mkdir -p ".$1"; mount -o bind,ro "$1" ".$1"
  elif [ -e "$1" ]; then mkdir -p ".\${1%/*}"; : > ".$1"; mount -o bind,ro "$1" ".$1"
  fi
  shift
done
shift
mkdir -p tmp
chmod 1777 tmp
for each in null zero random urandom; do : > dev/$each; mount -o bind /dev/$each dev/$each; done
ln -s /proc/self/fd dev/fd
mount -t proc -o nosuid,nodev,noexec proc proc 2>/dev/null || :
cp -R "$files/." scratch
start=/scratch
if [ -n "$folder" ]; then
  start=$folder
  mkdir -p ".$folder" .layers/changes .layers/work .layers/before
  mount -o bind,ro "$folder" .layers/before
  chmod --reference="$folder" .layers/changes
  if [ -n "$user" ]; then chown "$user:$user" .layers/changes; fi
  mount -t overlay -o "lowerdir=$folder,upperdir=$root/.layers/changes,workdir=$root/.layers/work" overlay ".$folder"
  mount -t tmpfs -o ro,size=4k tmpfs .layers
fi
while [ "$1" != hidden ]; do
  mkdir -p ".$1"
  mount -o bind,ro "$2" ".$1"
  shift 2
done
shift
while [ "$1" != -- ]; do
  if [ -d ".$1" ]; then mount -t tmpfs -o ro,size=4k tmpfs ".$1"; fi
  shift
done
shift
limits="--nproc=$processes --data=$data --fsize=$file --core=0 --nofile=1024"
drop="--no-new-privs --inh-caps=-all --bounding-set=-all"
if [ -n "$user" ]; then
  chown -R "$user:$user" scratch
  drop="--reuid=$user --regid=$user --clear-groups $drop"
fi
pivot_root . old
umount -l /old
rmdir /old
cd "$start"
unset OLDPWD
echo ready >&4
code=0
prlimit $limits setpriv $drop -- env "PATH=$path" "$@" 4>&- || code=$?
set +e
for wait in 1 2 3 4 5 6 7 8 9 10; do
  left=0
  for each in /proc/[0-9]*/status; do
    if [ "$each" = /proc/1/status ]; then continue; fi
    while read -r key value rest; do
      if [ "$key" = State: ]; then case $value in Z|X) ;; *) left=$((left + 1)) ;; esac; break; fi
    done 2>/dev/null < "$each"
  done
  if [ "$left" = 0 ]; then break; fi
  sleep 0.05
done
kill -9 -1 2>/dev/null
echo "left $left" >&4
if [ -n "$folder" ]; then
  umount /.layers
  cd /.layers/changes
  find . ! -type d -printf '%P\\0' >&4
  find . -type d -exec sh -c '${LOST}' "$folder" {} + >&4
fi
exit $code
`;

/** Arguments of a command that runs in namespaces of its own. */
export interface IsolatedCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** Whether the kernel counts the processes of this user: it never does for root. */
  readonly limitsProcesses: boolean;
}

/** @param owner User who owns the folder, if one is given. */
export function isolatedCommand(
  settings: SandboxSettings,
  paths: { readonly root: string; readonly files: string },
  command: readonly string[],
  owner?: number,
): IsolatedCommand {
  const { diskMb, memoryMb, maxProcesses, folder = '', allowNetwork, readable, linked, hidden, environment } = settings;
  const isRoot = process.getuid?.() === 0;
  // Root runs the command as an unused user, so that the kernel counts only its processes.
  const user = owner ?? randomInt(1_000_000_000, 2_000_000_000);
  const bytes = (megabytes: number) => String(megabytes * 1024 * 1024);
  const [program = ''] = command;
  return {
    program: 'setpriv',
    args: [
      // The sandbox ends with this process, however it ends.
      ...['--pdeathsig', 'KILL', 'unshare', ...(isRoot ? [] : ['--user', '--map-root-user'])],
      ...[...NAMESPACES, ...(allowNetwork ? [] : ['--net']), 'sh', '-c', SETUP, 'sandbox'],
      ...[paths.root, paths.files, bytes(diskMb), isRoot ? String(user) : '', folder],
      ...[String(maxProcesses), bytes(memoryMb + RESERVED_MB), bytes(diskMb), environment.PATH ?? SYSTEM_PATH],
      ...[...SYSTEM, ...(allowNetwork ? NETWORK : []), ...readable, ...(program.startsWith('/') ? [program] : [])],
      ...['linked', ...Object.entries(linked).flat(), 'hidden', ...hidden, '--', ...command],
    ],
    limitsProcesses: !isRoot || user !== 0,
  };
}
