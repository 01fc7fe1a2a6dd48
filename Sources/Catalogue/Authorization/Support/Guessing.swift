/// The Shannon entropy, in bits, below which a secret value looks guessable.
///
/// The measure underestimates the real entropy of short values: 95 random bits in sixteen letters and digits
/// reach about 60, 128 random bits in hexadecimal about 115. No value that is hard to guess is below 56.
let leastVariety = 56
