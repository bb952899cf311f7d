//! `cargo xtask play`: from a clean clone to the playground in a browser.

use std::net::{Ipv4Addr, TcpListener};

use anyhow::{Context, Result};

use crate::repo::Repo;
use crate::run::Run;
use crate::setup::{Packages, node};
use crate::{wasm, web};

/// The first port that is tried when none was asked for, and how many.
const PORT: u16 = 4173;
const PORTS: u16 = 20;

/// Sets up what is missing, builds the page and serves it on this machine until it is interrupted.
pub(crate) fn play(repo: &Repo, port: Option<u16>) -> Result<()> {
    node::set_up(Packages::NameOnly)?;
    wasm::build(repo, wasm::TooHeavy::IsSaid)?;
    web::build(repo)?;
    let port = free_port(port)?;
    println!("\nThe playground is at http://{}:{port}/ until you press Ctrl-C.\n", Ipv4Addr::LOCALHOST);
    Run::new(repo.node_bin("vite"))
        .args(["preview", "--strictPort", "--host", &Ipv4Addr::LOCALHOST.to_string(), "--port", &port.to_string()])
        .dir(&repo.web())
        .become_it()
}

fn free_port(wanted: Option<u16>) -> Result<u16> {
    let free = |port: &u16| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok();
    match wanted {
        Some(port) => Some(port).filter(free).with_context(|| format!("port {port} is in use: give another --port")),
        None => (PORT..PORT + PORTS).find(free).context("no free port: give one with --port"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_in_use_is_refused_or_stepped_over() {
        let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let port = taken.local_addr().expect("an address").port();
        assert!(free_port(Some(port)).is_err());
        assert!(free_port(None).is_ok_and(|free| free != port));
    }
}
