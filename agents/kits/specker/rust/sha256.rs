//! SHA-256, with which a player commits itself to a secret.

/// The first 32 bits behind the point of the square roots or cube roots of primes: the constants of SHA-256.
fn roots_of_primes(count: usize, root: fn(f64) -> f64) -> Vec<u32> {
    let primes = (2..).filter(|number: &u32| (2..*number).all(|by| number % by != 0));
    primes.take(count).map(|prime| (root(f64::from(prime)).fract() * 4_294_967_296.0) as u32).collect()
}

/// The SHA-256 of a text, in 64 hex digits.
pub fn sha256(text: &str) -> String {
    let constants = roots_of_primes(64, f64::cbrt);
    let mut hash = roots_of_primes(8, f64::sqrt);
    let mut bytes = text.as_bytes().to_vec();
    bytes.push(0x80);
    while bytes.len() % 64 != 56 {
        bytes.push(0);
    }
    bytes.extend_from_slice(&(8 * text.len() as u64).to_be_bytes());
    for block in bytes.chunks(64) {
        let mut w: Vec<u32> = block.chunks(4).map(|four| four.iter().fold(0, |word, byte| word << 8 | u32::from(*byte))).collect();
        for i in 16..64 {
            let (x, y) = (w[i - 15], w[i - 2]);
            let more = (x.rotate_right(7) ^ x.rotate_right(18) ^ (x >> 3))
                .wrapping_add(y.rotate_right(17) ^ y.rotate_right(19) ^ (y >> 10));
            w.push(w[i - 16].wrapping_add(w[i - 7]).wrapping_add(more));
        }
        let mut now = hash.clone();
        for i in 0..64 {
            let (a, b, c, e, f, g) = (now[0], now[1], now[2], now[4], now[5], now[6]);
            let one = now[7]
                .wrapping_add(e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25))
                .wrapping_add((e & f) ^ (!e & g))
                .wrapping_add(constants[i])
                .wrapping_add(w[i]);
            let two = (a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22))
                .wrapping_add((a & b) ^ (a & c) ^ (b & c));
            now.rotate_right(1);
            now[0] = one.wrapping_add(two);
            now[4] = now[4].wrapping_add(one);
        }
        for (word, more) in hash.iter_mut().zip(now) {
            *word = word.wrapping_add(more);
        }
    }
    hash.iter().map(|word| format!("{word:08x}")).collect()
}
