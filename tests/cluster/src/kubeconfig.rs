//! Kubeconfig files.

use std::path::Path;

use anyhow::Result;
use serde_json::json;

/// Writes a kubeconfig for a server, with the certificate of its authority if it has one, and a token.
///
/// # Errors
/// The file cannot be written.
pub fn write(file: &Path, server: &str, authority: Option<&Path>, token: &str) -> Result<()> {
    let mut cluster = json!({"server": server});
    if let Some(authority) = authority {
        cluster["certificate-authority"] = authority.display().to_string().into();
    }
    let config = json!({
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "test", "cluster": cluster}],
        "users": [{"name": "test", "user": {"token": token}}],
        "contexts": [{"name": "test", "context": {"cluster": "test", "user": "test"}}],
        "current-context": "test",
    });
    std::fs::write(file, config.to_string())?;
    Ok(())
}
