/**
 * Makes the sandbox from within its namespaces, in the words of a POSIX shell, because Node cannot mount. It is started as
 * root of a user namespace and process 1 of a process namespace; everything it is told are its arguments: the folder that
 * becomes "/", the folder to start in, user and group inside, a table of what is mounted first, how many processes there can
 * be (0: not limited here), the folders and files that have to be made then (each list ended by `--`), and the words of the
 * command. What is mounted last stands in a second table beside the first.
 *
 * - The command gets a second user namespace: as root of the first it could make everything writable again.
 * - It can make no third one: further namespaces open kernel code that is not hardened against untrusted programs.
 * - When this shell ends, the kernel ends every process that was started inside.
 */
export const namespaceScript = `
set -eu
umask 022
wanted=$PATH
PATH=/usr/sbin:/usr/bin:/sbin:/bin
trap 'echo "gatewright: the sandbox could not be made" >&2; exit 125' EXIT
root=$1 folder=$2 user=$3 group=$4 table=$5 processes=$6
shift 6

mount --all --fstab "$table.first"
hostname sandbox 2> /dev/null || :
echo 1 > "$root/proc/sys/user/max_user_namespaces"
[ "$processes" = 0 ] || echo "$processes" 2> /dev/null > "$root/proc/sys/kernel/pid_max" || :
while [ "$1" != -- ]; do mkdir -p -- "$1"; shift; done
shift
while [ "$1" != -- ]; do : > "$1"; shift; done
shift
mount --all --fstab "$table.last"

ip link set lo up 2> /dev/null || perl -e '
  socket(my $socket, 2, 2, 0) or die "no socket: $!";
  my $request = pack("a16 s x14", "lo", 0x41);
  ioctl($socket, 0x8914, $request) or die "no loopback: $!";
'

cd "$root"
pivot_root . .outside
cd /
umount -l /.outside
cd "$folder"
PATH=$wanted
trap - EXIT
set +e
/usr/bin/setpriv --no-new-privs -- /usr/bin/unshare --user --map-user="$user" --map-group="$group" -- "$@"
exit $?
`;
