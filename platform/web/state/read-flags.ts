/**
 * Reads a map of a YAML file: one `name: true` per line. A full YAML parser would be thirty times as much code in the browser. Lines in
 * another form are skipped.
 */
const LINE = /^(\s+)(?:"([^"]+)"|'([^']+)'|([\w.-]+)):\s*(?:"([^"]*)"|'([^']*)'|([^#]*?))\s*(?:#.*)?$/
const YES = /^(true|yes|on)$/i
const NO = /^(false|no|off)$/i

export function readFlags(yaml: string, map: 'features' | 'gradual' = 'features'): Record<string, boolean> {
  const flags: Record<string, boolean> = {}
  let inside = false
  let indent: string | undefined
  for (const line of yaml.split(/\r?\n/)) {
    if (/^\s*(#.*)?$/.test(line)) continue
    if (!/^\s/.test(line)) {
      inside = new RegExp(`^(["']?)${map}\\1:\\s*(#.*)?$`).test(line)
      indent = undefined
      continue
    }
    const match = inside ? LINE.exec(line) : null
    if (!match) continue
    indent ??= match[1]
    if (match[1] !== indent) continue
    const name = match[2] ?? match[3] ?? match[4] ?? ''
    const value = match[5] ?? match[6] ?? match[7] ?? ''
    if (YES.test(value)) flags[name] = true
    else if (NO.test(value)) flags[name] = false
  }
  return flags
}
