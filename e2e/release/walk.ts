/**
 * `npm run release:walk [-- FOLDER]`: follows `deploy/README.md` line by line on a bare Debian in a container, with a release that it
 * builds or finds in FOLDER; then uses the installation over HTTPS. Runs as root on Debian, with debootstrap and systemd-container.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startDebianMachine } from './machine.ts'

/** The commands that `deploy/README.md` lists for one machine, block by block, in order. */
function readReadmeBlocks(text = readFileSync(join(import.meta.dirname, '../../deploy/README.md'), 'utf8')): string[] {
  return [...text.matchAll(/^```sh(?: rehearsal)?\n([\s\S]*?)^```$/gm)].map((match) => match[1]!)
}

const scratch = mkdtempSync(join(tmpdir(), 'mingxi-walk-'))
const cache = process.env['WALK_CACHE'] ?? join(tmpdir(), 'mingxi-debian')
const release = resolve(process.argv[2] ?? join(scratch, 'release'))
if (!process.argv[2]) execFileSync(process.execPath, [join(import.meta.dirname, '../../scripts/release/build.ts'), '--to', release], { stdio: 'inherit' })
const version = readFileSync(join(release, 'VERSION'), 'utf8').trim()

const startedAt = performance.now()
const logProgress = (text: string): void => console.log(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${text}`)
const machine = await startDebianMachine(scratch, cache)
let problems = 0
/** Runs a script on the machine; a failure ends the walk. */
const runScript = (script: string, options: { online?: boolean; quiet?: boolean } = {}): string => {
  const { status, output } = machine.run(script, options)
  if (status !== 0) throw new Error(`exit ${status}:\n${script}\n${options.quiet ? output : ''}`)
  return output
}
/** Compares a script's output with the expected pattern. */
const expectOutput = (what: string, script: string, expected: RegExp): void => {
  const output = runScript(script, { quiet: true }).trim()
  const isRight = expected.test(output)
  console.log(`${isRight ? 'ok ' : 'BAD'} ${what}${isRight ? '' : `: ${output}`}`)
  if (!isRight) problems++
}
const MEMORY = `for unit in platform worker console gateway@3101 gateway@3102 proxy mail remote; do
  pid=$(systemctl show -P MainPID mingxi-$unit)
  printf '%-14s %-8s %4d MB\\n' $unit "$(ps -o user= -p $pid)" $(($(ps -o rss= -p $pid) / 1024))
done`

try {
  logProgress(`a bare Debian ${runScript('cat /etc/debian_version', { quiet: true }).trim()}; release ${version}`)
  const opt = join(machine.root, 'opt/mingxi', `mingxi-${version}-linux-x64`)
  mkdirSync(join(machine.root, 'opt/mingxi'))
  cpSync(release, opt, { recursive: true })
  let invitation = ''
  for (const block of readReadmeBlocks()) {
    logProgress(block.split('\n').find(Boolean)!.slice(0, 110))
    const isInstall = block.includes('apt-get')
    const output = runScript(block, { online: isInstall, quiet: isInstall })
    invitation = /\bopi_\S+/.exec(output)?.[0] ?? invitation
  }
  logProgress('units')
  expectOutput(
    'nothing to say about the units',
    'systemd-analyze verify --man=no /etc/systemd/system/mingxi-*.service /etc/systemd/system/pgbackrest-mingxi.*',
    /^$/,
  )
  runScript(MEMORY)
  logProgress('people, over HTTPS')
  const [site, desk] = runScript('echo "$SITE $CONSOLE"', { quiet: true }).trim().split(' ') as [string, string]
  const people = machine.beside([process.execPath, join(import.meta.dirname, 'visitors.ts'), `https://${site}`, `https://${desk}`, invitation], [site, desk], {
    NODE_EXTRA_CA_CERTS: join(machine.root, 'etc/mingxi/ca.pem'),
  })
  if (people.status !== 0) problems++
  const ask = 'curl --silent --http1.1 --max-time 5 --cacert /etc/mingxi/ca.pem'
  const socket = "-H 'Connection: Upgrade' -H 'Upgrade: websocket' -H 'Sec-WebSocket-Version: 13' -H 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='"
  expectOutput('/remote/socket leads to the remote browsers', `${ask} -o /dev/null -w '%{http_code}' ${socket} https://$SITE/remote/socket`, /^401$/)
  runScript('echo 192.0.2.0/24 > /etc/haproxy/operators.lst; systemctl restart haproxy; sleep 3')
  expectOutput('the console is closed to addresses that are not listed', `${ask} -w ' %{http_code}' https://$CONSOLE/`, /Not found.* 404$/)
  runScript('systemctl stop mingxi-gateway@3101 mingxi-gateway@3102; sleep 2')
  expectOutput(
    'without gateways the proxy answers as a vendor would',
    `${ask} -w ' %{http_code} %{content_type}' https://$SITE/v1/models`,
    /"error":.* 503 application\/json$/,
  )
  runScript('systemctl start mingxi-gateway@3101 mingxi-gateway@3102')
  logProgress('WAL is archived, and removed with the backup that needed it')
  const archived = (): number => Number(runScript('find /var/lib/pgbackrest/archive -name "*.zst" | wc -l', { quiet: true }))
  runScript("su postgres -c \"psql -qtc 'select pg_switch_wal()' mingxi\" > /dev/null; su postgres -c 'pgbackrest --stanza=mingxi check'")
  const before = archived()
  runScript("su postgres -c 'pgbackrest --stanza=mingxi --type=full --repo1-retention-full=1 backup'; su postgres -c 'pgbackrest info'")
  const after = archived()
  console.log(`    ${before} segments, ${after} after a full backup that is the only one kept`)
  if (before < 3 || after >= before) problems++
  expectOutput('no unit has failed', 'systemctl --failed --no-legend --plain', /^$/)
  expectOutput('the books are in order', 'mingxi wallet:verify', /^OK [1-9]/)
} catch (error) {
  problems++
  console.error((error as Error).message)
  machine.run(
    'journalctl --no-pager -q -n 40 -p warning; journalctl --no-pager -n 15 -u "mingxi-*"; journalctl --no-pager -n 8 -u haproxy -u postgresql@17-main',
  )
} finally {
  if (process.env['WALK_KEEP']) console.log(`left running: ${machine.root}`)
  else {
    await machine.stop()
    rmSync(scratch, { recursive: true, force: true })
  }
}
console.log(problems ? `${problems} problems` : 'the installation works')
// a machine that was kept is a child of this process, so the process exits explicitly
process.exit(problems ? 1 : 0)
