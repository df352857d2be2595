# perl reap.pl <command> [<argument>…]: runs the command as a child, and adopts those of its processes whose parents end before
# them, such as Chromium's renderers or what a kill leaves. It waits for them as well, so their CPU time is part of that of this
# process, which its own parent can read. Nothing else on a bare Debian can do that. Linux only.
use strict;
use warnings;
use Errno qw(EINTR);
use POSIX ();

# The number of the system call prctl by machine, and its option: signal(7), prctl(2).
my %prctl = (x86_64 => 157, aarch64 => 167);
my $PR_SET_CHILD_SUBREAPER = 36;
# What ends with the command needs a moment.
my $LAST_SECONDS = 2;

my $machine = (POSIX::uname())[4];
my $call = $prctl{$machine} or die "reap: prctl of $machine is not known\n";
syscall($call, $PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0 or die "reap: $!\n";

my $child = fork // die "reap: $!\n";
if ($child == 0) {
  exec { $ARGV[0] } @ARGV or die "reap: $ARGV[0]: $!\n";
}
for my $name (qw(TERM HUP)) {
  $SIG{$name} = sub { kill $name, $child };
}
# A terminal sends it to the command as well.
$SIG{INT} = sub { };

my $status;
while (!defined $status) {
  my $ended = wait;
  die "reap: $!\n" if $ended < 0 && $! != EINTR;
  $status = $? if $ended == $child;
}
my $deadline = time + $LAST_SECONDS;
while (time <= $deadline) {
  my $ended = waitpid(-1, POSIX::WNOHANG);
  last if $ended < 0;
  select(undef, undef, undef, 0.05) if $ended == 0;
}
my $signal = $status & 127;
if ($signal) {
  $SIG{$_} = 'DEFAULT' for qw(TERM HUP INT);
  kill $signal, $$;
}
exit($signal ? 128 + $signal : $status >> 8);
