//! What a package weighs on its way to the browser.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;

/// Bytes of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Size {
    raw: u64,
    gzip: usize,
}

/// What happens to a package that is too heavy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TooHeavy {
    /// The build fails.
    Fails,
    /// It is said: somebody who wants to look at the page is not kept from it.
    IsSaid,
}

/// Prints the sizes of the files; together they may weigh `budget` bytes (gzip -9).
pub(super) fn check(folder: &Path, files: &[String], budget: usize, too_heavy: TooHeavy) -> Result<()> {
    let mut total = 0;
    for name in files {
        let size = measure(&folder.join(name))?;
        println!("{name}: {} bytes, {} gzip", size.raw, size.gzip);
        total += size.gzip;
    }
    let share = total * 100 / budget.max(1);
    println!("together: {total} bytes gzip, {share} % of the budget of {budget}");
    match total.checked_sub(budget).filter(|over| *over > 0) {
        None => Ok(()),
        Some(over) if too_heavy == TooHeavy::Fails => {
            bail!("the wasm package weighs {total} bytes (gzip), {over} more than its budget")
        }
        Some(over) => {
            println!("warning: that is {over} bytes more than the budget; `cargo xtask wasm` fails on it");
            Ok(())
        }
    }
}

fn measure(path: &Path) -> Result<Size> {
    let read = || format!("cannot read {}", path.display());
    let raw = fs::metadata(path).with_context(read)?.len();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    io::copy(&mut File::open(path).with_context(read)?, &mut encoder).with_context(read)?;
    Ok(Size { raw, gzip: encoder.finish().with_context(read)?.len() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_heavy_is_an_error() {
        let folder = std::env::temp_dir().join(format!("jobwright-size-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("x.wasm"), [7_u8; 10_000]).expect("a file");
        let size = measure(&folder.join("x.wasm")).expect("readable");
        assert_eq!(size.raw, 10_000);
        let files = ["x.wasm".to_owned()];
        check(&folder, &files, size.gzip, TooHeavy::Fails).expect("just fits");
        check(&folder, &files, size.gzip - 1, TooHeavy::IsSaid).expect("only said");
        let error = check(&folder, &files, size.gzip - 1, TooHeavy::Fails).expect_err("too heavy");
        assert!(error.to_string().contains("1 more than its budget"), "{error}");
        fs::remove_dir_all(&folder).expect("removed");
    }
}
