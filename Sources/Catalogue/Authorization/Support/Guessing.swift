/// The variety, in bits, below which a secret value looks as if it could be guessed.
///
/// Shannon's measure falls short of the real entropy for short values: 95 random bits in sixteen letters and digits
/// reach about 60, 128 random bits in hexadecimal about 115. Nothing that is hard to guess stays below 56.
let leastVariety = 56
