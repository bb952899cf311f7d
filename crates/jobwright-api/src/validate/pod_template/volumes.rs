//! Volumes: each has one source, and a name of its own.
//!
//! Invariant: a volume with an error cannot be mounted. A volume without a source is an `emptyDir`.

use super::claim_templates::CLAIM;
use super::forms::Form;
use super::projected::{downward_file, projected};
use super::volume_forms;
use super::walk::{Check, Checker, Choice, REQUIRED, Rows, text};
use crate::at::At;
use crate::quantity::Quantity;

pub(super) const MODE: Check = Check::Int(0, 0o777, "must be a number between 0 and 0777 (octal), both inclusive");
const PARTITION: Check = Check::Int(0, 255, "must be between 1 and 255, inclusive");
const VOLUME_ID: Rows = &[("volumeID", REQUIRED)];
const SECRET_REF: Check = Check::Object(&[("name", REQUIRED)]);
pub(super) const PULL_POLICIES: &[&str] = &["Always", "IfNotPresent", "Never"];

pub(super) const KEY_TO_PATH: Rows =
    &[("key", REQUIRED), ("path", REQUIRED), ("path", Check::Form(Form::NotReserved)), ("mode", MODE)];
const DOWNWARD_API: Rows = &[("defaultMode", MODE), ("", Check::By(downward_files))];
const HOST_PATH_TYPES: &[&str] =
    &["", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"];

/// The sources, in the order in which the API server looks for them.
const SOURCES: Choice = Choice {
    members: &[
        ("emptyDir", &[("sizeLimit", Check::By(size_limit))]),
        (
            "hostPath",
            &[
                ("path", Check::Needed("")),
                ("path", Check::Form(Form::NoBacksteps)),
                ("type", Check::OneOf(HOST_PATH_TYPES)),
            ],
        ),
        ("gitRepo", &[("repository", REQUIRED), ("directory", Check::Form(Form::Relative))]),
        ("gcePersistentDisk", &[("pdName", REQUIRED), ("partition", PARTITION)]),
        ("awsElasticBlockStore", &[("volumeID", REQUIRED), ("partition", PARTITION)]),
        ("secret", &[("secretName", REQUIRED), ("defaultMode", MODE), ("items", Check::Each(KEY_TO_PATH))]),
        ("nfs", &[("server", REQUIRED), ("path", REQUIRED), ("path", Check::Always(Form::Absolute))]),
        (
            "iscsi",
            &[
                ("targetPortal", REQUIRED),
                ("iqn", REQUIRED),
                ("iqn", Check::By(volume_forms::iscsi_name)),
                ("lun", Check::Int(0, 255, "must be between 0 and 255, inclusive")),
                ("", Check::By(volume_forms::iscsi_session)),
            ],
        ),
        ("glusterfs", &[("endpoints", REQUIRED), ("path", REQUIRED)]),
        ("flocker", &[("", Check::By(volume_forms::flocker))]),
        ("persistentVolumeClaim", &[("claimName", REQUIRED)]),
        ("rbd", &[("monitors", REQUIRED), ("image", REQUIRED)]),
        ("cinder", &[("volumeID", REQUIRED), ("secretRef", SECRET_REF)]),
        ("cephfs", &[("monitors", REQUIRED)]),
        ("quobyte", &[("", Check::By(volume_forms::quobyte)), ("volume", REQUIRED)]),
        ("downwardAPI", DOWNWARD_API),
        ("fc", &[("", Check::By(volume_forms::fibre_channel))]),
        ("flexVolume", &[("driver", REQUIRED), ("options", Check::By(volume_forms::flex_options))]),
        ("configMap", &[("name", REQUIRED), ("defaultMode", MODE), ("items", Check::Each(KEY_TO_PATH))]),
        ("azureFile", &[("secretName", REQUIRED), ("shareName", REQUIRED)]),
        ("vsphereVolume", &[("volumePath", REQUIRED)]),
        ("photonPersistentDisk", &[("pdID", REQUIRED)]),
        ("portworxVolume", VOLUME_ID),
        (
            "azureDisk",
            &[
                ("diskName", REQUIRED),
                ("diskURI", REQUIRED),
                ("cachingMode", Check::OneOf(&["None", "ReadOnly", "ReadWrite"])),
                ("kind", Check::OneOf(&["Dedicated", "Managed", "Shared"])),
                ("", Check::By(volume_forms::azure_disk)),
            ],
        ),
        (
            "storageos",
            &[
                ("volumeName", Check::Name(Form::Label)),
                ("volumeNamespace", Check::Form(Form::Label)),
                ("secretRef", SECRET_REF),
            ],
        ),
        ("projected", &[("defaultMode", MODE), ("", Check::By(projected))]),
        ("scaleIO", &[("gateway", REQUIRED), ("system", REQUIRED), ("volumeName", REQUIRED)]),
        ("csi", &[("", Check::By(volume_forms::csi))]),
        ("ephemeral", &[("volumeClaimTemplate", Check::Needed("")), ("volumeClaimTemplate", Check::Object(CLAIM))]),
        ("image", &[("reference", REQUIRED), ("pullPolicy", Check::Known(PULL_POLICIES))]),
    ],
    renamed: &[
        ("gcePersistentDisk", "gcePersistentDisk", "persistentDisk"),
        ("cephfs", "cephFS", "cephfs"),
        ("downwardAPI", "downwarAPI", "downwardAPI"),
    ],
    second: "may not specify more than 1 volume type",
    none: None,
};

const VOLUME: Rows = &[("", Check::First(&SOURCES)), ("name", Check::Name(Form::Label))];

/// All volumes; those without an error can be mounted from now on.
pub(super) fn volumes(checker: &mut Checker<'_>, list: &At<'_>) {
    for (at, volume) in list.items().enumerate() {
        let before = checker.errors.len();
        checker.walk(&volume, VOLUME);
        let name = volume.get("name");
        if checker.volumes.get(text(&name)).is_some() {
            checker.duplicate(&name, text(&name));
        }
        if checker.errors.len() == before {
            checker.volumes.first(text(&name), at);
        }
    }
}

fn size_limit(checker: &mut Checker<'_>, limit: &At<'_>) {
    if Quantity::of(limit.value()).is_negative() {
        checker.forbidden(limit, "SizeLimit field must be a valid resource quantity");
    }
}

/// The files of a downward API volume; their errors are reported at the volume.
fn downward_files(checker: &mut Checker<'_>, volume: &At<'_>) {
    for file in volume.get("items").items() {
        downward_file(checker, &volume.showing(&file));
    }
}
