/// What is fuzzed: a function for each parser of outside input, which traps at a finding. `scripts/fuzz.sh` feeds each with libFuzzer, and
/// ``CorpusTests`` with the seeds.
enum Fuzz {}
