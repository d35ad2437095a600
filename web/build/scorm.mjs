/** The lesson as a SCORM 1.2 package: the hosted page, one script before all others, and the manifest that lists them. */
import { strToU8, zipSync } from "fflate";

const escaped = (/** @type {string} */ text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/**
 * @param {string[]} files
 * @param {string} version
 */
const manifest = (files, version) => `<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="gelu-lab" version="${escaped(version)}"
  xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2" xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2">
  <metadata>
    <schema>ADL SCORM</schema>
    <schemaversion>1.2</schemaversion>
  </metadata>
  <organizations default="lesson">
    <organization identifier="lesson">
      <title>GELU 讲义 · The GELU lesson</title>
      <item identifier="page" identifierref="page-files">
        <title>GELU 讲义 · The GELU lesson</title>
      </item>
    </organization>
  </organizations>
  <resources>
    <resource identifier="page-files" type="webcontent" adlcp:scormtype="sco" href="index.html">
${files.map((file) => `      <file href="${escaped(file)}"/>`).join("\n")}
    </resource>
  </resources>
</manifest>
`;

/** The same bytes for the same content: zip has no time before this one. */
const EPOCH = new Date(1980, 0, 1);

/**
 * @param {Map<string, Uint8Array>} site its page and assets, by path
 * @param {string} script
 * @param {string} version
 * @returns {Uint8Array} a zip
 */
export function scormPackage(site, script, version) {
  const page = Buffer.from(/** @type {Uint8Array} */ (site.get("index.html"))).toString("utf8");
  const before = page.replace("<script src=", '<script src="assets/scorm.js"></script>\n<script src=');
  const files = new Map([...site, ["index.html", strToU8(before)], ["assets/scorm.js", strToU8(script)]]);
  const names = [...files.keys()].sort();
  const all = [["imsmanifest.xml", strToU8(manifest(names, version))], ...names.map((name) => [name, files.get(name)])];
  return zipSync(Object.fromEntries(all), { level: 9, mtime: EPOCH });
}
