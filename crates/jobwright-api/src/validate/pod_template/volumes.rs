//! Volumes: each has one source, and a name of its own.
//!
//! Invariant: a volume with an error cannot be mounted. A volume without a source is an `emptyDir`.

use super::env::{self, FIELDS_OF_VOLUMES};
use super::forms::Form;
use super::walk::{Check, Checker, Choice, REQUIRED, Rows, text};
use crate::at::At;
use crate::places::Places;
use crate::quantity::Quantity;

const MODE: Check = Check::Int(0, 0o777, "must be a number between 0 and 0777 (octal), both inclusive");
const PARTITION: Check = Check::Int(0, 255, "must be between 1 and 255, inclusive");
const VOLUME_ID: Rows = &[("volumeID", REQUIRED)];
const SECRET_REF: Check = Check::Object(&[("name", REQUIRED)]);
pub(super) const PULL_POLICIES: &[&str] = &["Always", "IfNotPresent", "Never"];

const KEY_TO_PATH: Rows =
    &[("key", REQUIRED), ("path", REQUIRED), ("path", Check::Form(Form::NotReserved)), ("mode", MODE)];
const DOWNWARD_API: Rows = &[("defaultMode", MODE), ("", Check::By(downward_files))];
const HOST_PATH_TYPES: &[&str] =
    &["", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"];
const ACCESS_MODES: &[&str] = &["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

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
                ("lun", Check::Int(0, 255, "must be between 0 and 255, inclusive")),
            ],
        ),
        ("glusterfs", &[("endpoints", REQUIRED), ("path", REQUIRED)]),
        ("flocker", &[]),
        ("persistentVolumeClaim", &[("claimName", REQUIRED)]),
        ("rbd", &[("monitors", REQUIRED), ("image", REQUIRED)]),
        ("cinder", &[("volumeID", REQUIRED), ("secretRef", SECRET_REF)]),
        ("cephfs", &[("monitors", REQUIRED)]),
        (
            "quobyte",
            &[
                ("registry", Check::Required("must be a host:port pair or multiple pairs separated by commas")),
                ("volume", REQUIRED),
            ],
        ),
        ("downwardAPI", DOWNWARD_API),
        ("fc", &[]),
        ("flexVolume", &[("driver", REQUIRED)]),
        ("configMap", &[("name", REQUIRED), ("defaultMode", MODE), ("items", Check::Each(KEY_TO_PATH))]),
        ("azureFile", &[("secretName", REQUIRED), ("shareName", REQUIRED)]),
        ("vsphereVolume", &[("volumePath", REQUIRED)]),
        ("photonPersistentDisk", &[("pdID", REQUIRED)]),
        ("portworxVolume", VOLUME_ID),
        ("azureDisk", &[("diskName", REQUIRED), ("diskURI", REQUIRED)]),
        ("storageos", &[("volumeName", Check::Name(Form::Label)), ("secretRef", SECRET_REF)]),
        ("projected", &[("defaultMode", MODE), ("", Check::By(projected))]),
        ("scaleIO", &[("gateway", REQUIRED), ("system", REQUIRED), ("volumeName", REQUIRED)]),
        ("csi", &[("driver", Check::Name(Form::Subdomain)), ("nodePublishSecretRef", SECRET_REF)]),
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

const CLAIM: Rows = &[("spec", Check::By(|checker, spec| checker.walk(spec, CLAIM_SPEC)))];
const CLAIM_SPEC: Rows = &[
    ("accessModes", Check::Required("at least 1 access mode is required")),
    ("accessModes", Check::By(access_modes)),
    ("resources", Check::By(storage)),
    ("storageClassName", Check::Form(Form::Subdomain)),
    ("volumeMode", Check::OneOf(&["Block", "Filesystem"])),
];

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

fn access_modes(checker: &mut Checker<'_>, modes: &At<'_>) {
    for mode in modes.items().filter(|mode| !ACCESS_MODES.contains(&text(mode))) {
        checker.not_supported(modes, text(&mode), ACCESS_MODES);
    }
    let alone = |mode: &At<'_>| text(mode) == "ReadWriteOncePod";
    if modes.items().any(|mode| alone(&mode)) && !modes.items().all(|mode| alone(&mode)) {
        checker.forbidden(modes, "may not use ReadWriteOncePod with other access modes");
    }
}

fn storage(checker: &mut Checker<'_>, resources: &At<'_>) {
    let requests = resources.get("requests");
    let (wanted, shown) = (requests.get("storage"), resources.key("storage"));
    if !wanted.is_set() {
        checker.required(&shown, "");
        return;
    }
    let quantity = Quantity::of(wanted.value());
    for (is_wrong, detail) in [
        (quantity.is_negative(), "must be greater than or equal to 0"),
        (quantity.is_negative() || quantity.size() == 0, "must be greater than zero"),
    ] {
        if is_wrong {
            checker.invalid_text(&shown, &quantity.to_string(), detail);
        }
    }
}

/// The files of a downward API volume; their errors are reported at the volume.
fn downward_files(checker: &mut Checker<'_>, volume: &At<'_>) {
    for file in volume.get("items").items() {
        downward_file(checker, &volume.showing(&file));
    }
}

fn downward_file(checker: &mut Checker<'_>, file: &At<'_>) {
    checker.walk(file, &[("path", REQUIRED), ("path", Check::Form(Form::NotReserved))]);
    let (field, resource) = (file.get("fieldRef"), file.get("resourceFieldRef"));
    match (field.is_set(), resource.is_set()) {
        (true, both) => {
            env::field_ref(checker, &field, FIELDS_OF_VOLUMES);
            if both {
                let detail = "fieldRef and resourceFieldRef can not be specified simultaneously";
                checker.invalid_text(file, "resource", detail);
            }
        }
        (false, true) => env::resource_ref(checker, &resource, true),
        (false, false) => checker.required(file, "one of fieldRef and resourceFieldRef is required"),
    }
    checker.walk(file, &[("mode", MODE)]);
}

/// A projected volume: each source has one kind, and no path stands twice. Sources whose gates are off are not
/// looked at.
fn projected(checker: &mut Checker<'_>, volume: &At<'_>) {
    let mut paths = Places::default();
    for source in volume.get("sources").items() {
        let mut kinds = 0;
        for kind in ["secret", "configMap", "downwardAPI", "serviceAccountToken"] {
            let part = source.get(kind);
            if !part.is_set() {
                continue;
            }
            kinds += 1;
            match kind {
                "serviceAccountToken" => token(checker, volume, &part),
                "downwardAPI" => {}
                _ => checker.walk(&part, &[("name", REQUIRED)]),
            }
            for item in part.get("items").items() {
                let path = item.get("path");
                let shown = if kind == "downwardAPI" {
                    downward_file(checker, &part.showing(&item));
                    text(&path).to_owned()
                } else {
                    checker.walk(&item, KEY_TO_PATH);
                    text(&part.get("name")).to_owned()
                };
                if !text(&path).is_empty() && !paths.is_new(text(&path)) {
                    checker.invalid_text(volume, &shown, "conflicting duplicate paths");
                }
            }
        }
        if kinds > 1 {
            checker.forbidden(&source, "may not specify more than 1 volume type per source");
        }
    }
}

/// A token; the errors of its path are reported at the volume.
fn token(checker: &mut Checker<'_>, volume: &At<'_>, token: &At<'_>) {
    let seconds = token.get("expirationSeconds");
    for (low, high, detail) in [
        (600, i64::MAX, "may not specify a duration less than 10 minutes"),
        (i64::MIN, 1 << 32, "may not specify a duration larger than 2^32 seconds"),
    ] {
        if seconds.int().is_some_and(|seconds| seconds < low || seconds > high) {
            checker.invalid(&seconds, detail);
        }
    }
    let path = token.get("path");
    let shown = volume.holding(&path, "path");
    if text(&path).is_empty() {
        checker.required(&shown, "");
    } else {
        checker.form(&shown, Form::NotReserved, text(&path));
    }
}
