//! The key pair with which the API server signs the tokens of service accounts.
//!
//! Invariant: a new pair for each cluster; it is written to the cluster's own folder and nowhere else.

use std::path::Path;

use anyhow::{Result, anyhow};
use pem::Pem;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};

/// What is before the point of a P-256 public key in the form that RFC 5480 gives it (SubjectPublicKeyInfo).
const PUBLIC_KEY_HEAD: [u8; 26] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce,
    0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
];

/// Writes the two keys as PEM.
///
/// # Errors
/// There is no randomness, or a file cannot be written.
pub(crate) fn write(private: &Path, public: &Path) -> Result<()> {
    let (kind, random) = (&ECDSA_P256_SHA256_FIXED_SIGNING, SystemRandom::new());
    let document = EcdsaKeyPair::generate_pkcs8(kind, &random).map_err(|_| anyhow!("no key was made"))?;
    let pair = EcdsaKeyPair::from_pkcs8(kind, document.as_ref(), &random)
        .map_err(|refused| anyhow!("a key that was made is refused: {refused}"))?;
    std::fs::write(private, pem::encode(&Pem::new("PRIVATE KEY", document.as_ref())))?;
    let key = [&PUBLIC_KEY_HEAD[..], pair.public_key().as_ref()].concat();
    std::fs::write(public, pem::encode(&Pem::new("PUBLIC KEY", key)))?;
    Ok(())
}
