"""All vectors for lint; each area has its own file."""

import lint_bundle
import lint_carriers
import lint_certificates
import lint_desk
import lint_lists
import lint_issuers
import lint_links

AREAS = [lint_carriers.VECTORS, lint_links.VECTORS, lint_bundle.VECTORS, lint_issuers.VECTORS, lint_certificates.VECTORS, lint_lists.VECTORS, lint_desk.VECTORS]

FILES = {path: content for area in AREAS for path, content in area.files.items()}
VECTORS = [vector for area in AREAS for vector in area.vectors]
