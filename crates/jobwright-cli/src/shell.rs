//! `jobwright completions` and `jobwright man`: made from the same description of the arguments as the help.
//!
//! Invariant: nothing about a command is written down twice.

use std::io::Write;
use std::path::PathBuf;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Args;
use crate::files::CommandError;

/// The name of the program.
const NAME: &str = "jobwright";

const COMPLETIONS_HELP: &str = "\
Examples:
  jobwright completions bash > ~/.local/share/bash-completion/completions/jobwright
  jobwright completions zsh > \"${fpath[1]}/_jobwright\"
  jobwright completions fish > ~/.config/fish/completions/jobwright.fish
  jobwright completions powershell >> $PROFILE
  eval (jobwright completions elvish | slurp)";

/// Arguments of `completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = COMPLETIONS_HELP)]
pub(crate) struct CompletionsArgs {
    /// Which shell.
    #[arg(value_enum)]
    shell: Shell,
}

const MAN_HELP: &str = "\
Examples:
  jobwright man | man -l -                           read the page of the whole command
  jobwright man ~/.local/share/man/man1              jobwright.1, jobwright-run.1 and so on";

/// Arguments of `man`.
#[derive(Debug, clap::Args)]
#[command(after_help = MAN_HELP)]
pub(crate) struct ManArgs {
    /// The folder for the pages; it is made if it is not there. Without it the main page is printed.
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// Prints the script for a shell.
///
/// # Errors
/// The output cannot be written.
pub(crate) fn completions(args: &CompletionsArgs, out: &mut dyn Write) -> Result<bool, CommandError> {
    // Into memory first: the generator takes a failed write for a bug.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), NAME, &mut script);
    out.write_all(&script)?;
    Ok(true)
}

/// Prints or writes manual pages.
///
/// # Errors
/// The output or a file cannot be written.
pub(crate) fn man(args: &ManArgs, out: &mut dyn Write) -> Result<bool, CommandError> {
    let command = Args::command();
    match &args.folder {
        None => clap_mangen::Man::new(command).render(&mut &mut *out)?,
        Some(folder) => {
            let write = std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command, folder));
            write.map_err(|source| CommandError::Read { path: folder.clone(), source })?;
        }
    }
    Ok(true)
}
