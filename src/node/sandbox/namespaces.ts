import { randomInt } from 'node:crypto';
import type { SandboxSettings } from './options.js';

/** Folders every command may read, if they exist. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/etc/alternatives', '/etc/ld.so.cache'];
/** Files that name resolution and TLS need. */
const NETWORK = ['/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf', '/etc/ssl'];
/** Parts of the machine that the command gets as its own: mounts, shared memory, host name, processes. */
const NAMESPACES = ['--mount', '--ipc', '--uts', '--pid', '--fork', '--kill-child'];

/** Address space that a Node process reserves and does not use. The kernel counts it as memory. */
const RESERVED_MB = 1024;

/**
 * Builds the file system of the command and starts it without privileges. Runs as the first process of its own process
 * namespace: when it ends, the kernel kills every process that is left. All input arrives as arguments.
 */
const SETUP = `
set -e
root=$1 files=$2 size=$3 user=$4 folder=$5 processes=$6 data=$7 file=$8
shift 8
mount -t tmpfs -o "size=$size,nr_inodes=20k,mode=755,nosuid,nodev" tmpfs "$root"
cd "$root"
mkdir scratch proc dev old
while [ "$1" != hidden ]; do
  if [ -L "$1" ]; then mkdir -p ".\${1%/*}"; cp -P "$1" ".$1"
  elif [ -e ".$1" ]; then :
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
  mkdir -p ".$folder" .changes .work
  chmod --reference="$folder" .changes
  if [ -n "$user" ]; then chown "$user:$user" .changes; fi
  mount -t overlay -o "lowerdir=$folder,upperdir=$root/.changes,workdir=$root/.work" overlay ".$folder"
fi
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
prlimit $limits setpriv $drop -- "$@" 4>&-
exit $?
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
  const { diskMb, memoryMb, maxProcesses, folder = '', allowNetwork, readable, hidden } = settings;
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
      ...[String(maxProcesses), bytes(memoryMb + RESERVED_MB), bytes(diskMb)],
      ...[...SYSTEM, ...(allowNetwork ? NETWORK : []), ...readable, ...(program.startsWith('/') ? [program] : [])],
      ...['hidden', ...hidden, '--', ...command],
    ],
    limitsProcesses: !isRoot || user !== 0,
  };
}
