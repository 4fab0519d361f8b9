// `npm run audit`: known vulnerabilities in the packages that the server ships with, and secrets in tracked files. Exit code 1: something
// was found. If the registry does not support audits, the run reports it and relies on the secret scan alone (CI runs both where possible).
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

interface Report {
  readonly message?: string
  readonly error?: { readonly summary?: string }
  readonly vulnerabilities?: Readonly<Record<string, { severity: string; range: string; via: readonly (string | { readonly title: string })[] }>>
}

/** Parses the output of `npm audit --json`: vulnerabilities of relevant severity, or the reason why there is no result. */
export function parseAuditOutput(output: string): { readonly holes: readonly string[] } | { readonly unanswered: string } {
  let report: Report
  try {
    report = JSON.parse(output) as Report
  } catch {
    return { unanswered: output.trim().split('\n')[0]?.slice(0, 200) || 'npm said nothing' }
  }
  if (!report.vulnerabilities) return { unanswered: (report.message ?? report.error?.summary ?? 'no list in the answer').slice(0, 200) }
  return {
    holes: Object.entries(report.vulnerabilities)
      .filter(([, { severity }]) => severity !== 'info')
      .map(
        ([name, { severity, range, via }]) =>
          `${severity}: ${name} ${range}: ${via.map((one) => (typeof one === 'string' ? `by ${one}` : one.title)).join('; ')}`,
      ),
  }
}

function auditPackages() {
  const { stdout, stderr } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { cwd: root, encoding: 'utf8', timeout: 60_000 })
  const answer = parseAuditOutput(stdout || stderr || '')
  if ('unanswered' in answer) {
    console.log(`packages: NOT AUDITED, the registry gives no answer (${answer.unanswered})`)
    return true
  }
  console.log(answer.holes.length ? answer.holes.join('\n') : 'packages: no known holes in what ships')
  return answer.holes.length === 0
}

function scanSecrets() {
  const { status } = spawnSync(process.execPath, ['scripts/check/secrets.ts'], { cwd: root, stdio: 'inherit' })
  if (status === 0) console.log('secrets: none in tracked files')
  return status === 0
}

if (import.meta.main) {
  const [packages, secrets] = [auditPackages(), scanSecrets()]
  process.exit(packages && secrets ? 0 : 1)
}
