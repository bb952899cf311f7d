//! What a package weighs on its way to the browser.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;

use super::facts::Budget;

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

/// Prints the sizes of the files and how far they are from the budget (gzip -9); fails above the ceiling.
pub(super) fn check(folder: &Path, files: &[String], budget: &Budget, too_heavy: TooHeavy) -> Result<()> {
    let mut total = 0;
    for name in files {
        let size = measure(&folder.join(name))?;
        println!("{name}: {} bytes, {} gzip", size.raw, size.gzip);
        total += size.gzip;
    }
    let goal = budget.gzip_bytes;
    println!("together: {total} bytes gzip, {} % of the budget of {goal}", total * 100 / goal.max(1));
    if total <= goal {
        return Ok(());
    }
    let ceiling = budget.ceiling_gzip_bytes.unwrap_or(goal);
    if total > ceiling && too_heavy == TooHeavy::Fails {
        bail!("the wasm package weighs {total} bytes (gzip), {} more than may be", total - ceiling)
    }
    println!("warning: that is {} bytes more than the budget; above {ceiling} `cargo xtask wasm` fails", total - goal);
    Ok(())
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
        let budget = |gzip_bytes, ceiling_gzip_bytes| Budget { gzip_bytes, ceiling_gzip_bytes };
        let check = |budget, too_heavy| check(&folder, &files, &budget, too_heavy);
        check(budget(size.gzip, None), TooHeavy::Fails).expect("just fits");
        check(budget(size.gzip - 1, None), TooHeavy::IsSaid).expect("only said");
        check(budget(size.gzip - 9, Some(size.gzip)), TooHeavy::Fails).expect("below the ceiling");
        for too_small in [budget(size.gzip - 1, None), budget(size.gzip - 9, Some(size.gzip - 1))] {
            let error = check(too_small, TooHeavy::Fails).expect_err("too heavy");
            assert!(error.to_string().contains("1 more than may be"), "{error}");
        }
        fs::remove_dir_all(&folder).expect("removed");
    }
}
