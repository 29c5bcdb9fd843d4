use strict; use warnings; no warnings "recursion";
use FindBin; use lib $FindBin::Bin; use Total;
sub deep { my $n = shift; return $n == 0 ? 0 : 1 + deep($n - 1); }
my ($mode, @numbers) = split ' ', join('', <STDIN>);
print Total::total(@numbers), "\n" if $mode eq "sum";
print deep($numbers[0]), "\n" if $mode eq "deep";
if ($mode eq "memory") { my $kept = "x" x ($numbers[0] << 20); print length($kept), "\n"; }
if ($mode eq "loop") { 1 while 1; }
die "failed" if $mode eq "fail";
