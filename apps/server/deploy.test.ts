import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { isIPv4 } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { isInBlockList, createBlockList } from '#features/gateway/server/hot/http/address.ts'
import { features } from './features.ts'
import { platformConfig } from '#platform/server/config.ts'

// `npm run release:walk` executes these files, which needs root and packages. These tests only read them: names, secrets and times must
// match each other.
const here = join(import.meta.dirname, '../../deploy')
const known = new Set(Object.keys(Object.assign({}, platformConfig, ...features.map((feature) => feature.config ?? {}))))
const isKnown = (name: string) => known.has(name) || (name.endsWith('_FILE') && known.has(name.slice(0, -5)))
const PRODUCTION_ROLES = platformConfig.ROLES.parse(undefined).filter((role) => role !== 'sandbox')

interface Service {
  readonly image?: string
  readonly environment?: Readonly<Record<string, string | number>>
  readonly volumes?: readonly string[]
  readonly secrets?: readonly string[]
  readonly stop_grace_period?: string
  readonly healthcheck?: object
  readonly networks?: readonly string[] | Readonly<Record<string, { readonly ipv4_address?: string }>>
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly secrets: Readonly<Record<string, object>>
  readonly volumes: Readonly<Record<string, object>>
  readonly networks: { readonly outer: { readonly ipam: { readonly config: readonly [{ readonly subnet: string; readonly ip_range: string }] } } }
}
const compose = parse(readFileSync(join(here, 'compose.yaml'), 'utf8'), { merge: true }) as Compose
const ours = Object.entries(compose.services).filter(([, service]) => /^mingxi(-remote)?:/.test(service.image ?? ''))

test('compose: every role of production has a service, whose settings are known and whose folders of secrets are mounted', () => {
  expect(ours.flatMap(([, { environment }]) => environment!['ROLES'] ?? []).toSorted()).toEqual(PRODUCTION_ROLES.toSorted())
  for (const [name, { environment = {}, volumes = [], healthcheck }] of ours) {
    expect([name, Object.keys(environment).filter((key) => !isKnown(key))]).toEqual([name, []])
    const mounted = volumes.flatMap((volume) => /^\.\/secrets\/(\w+):\/run\/mingxi\/\1:ro$/.exec(volume)?.[1] ?? [])
    expect([name, String(environment['SECRETS'])]).toEqual([name, mounted.map((folder) => `/run/mingxi/${folder}`).join(' ')])
    // Environment variables are readable through the process list, so secrets must not be among them.
    expect(Object.keys(environment).filter((key) => /KEY$|TOKEN$|DATABASE_URL$/.test(key))).toEqual([])
    expect(healthcheck).toBeDefined()
  }
  for (const [name, { volumes = [], secrets = [] }] of Object.entries(compose.services)) {
    expect([name, secrets.filter((secret) => !(secret in compose.secrets))]).toEqual([name, []])
    const named = volumes.map((volume) => volume.split(':')[0]!).filter((source) => !source.startsWith('.'))
    expect([name, named.filter((volume) => !(volume in compose.volumes))]).toEqual([name, []])
  }
  expect(compose.services['gateway']).toMatchObject({ deploy: { replicas: 2 } })
})

test('compose: every server has time to drain before it is killed, and only one process migrates', () => {
  for (const name of ['gateway', 'platform']) {
    const { environment, stop_grace_period: grace } = compose.services[name]!
    const drain = Number(environment!['DRAIN_NOTICE_MS']) + Number(environment!['DRAIN_MS'])
    expect(Number(grace!.replace('s', '')) * 1000).toBeGreaterThan(drain)
  }
  expect(ours.filter(([, { environment }]) => environment!['MIGRATE'] !== 'check').map(([name]) => name)).toEqual(['migrate'])
})

const units = readdirSync(join(here, 'systemd')).filter((name) => name.startsWith('mingxi-') && name.endsWith('.service'))
const readUnit = (name: string) => readFileSync(join(here, 'systemd', name), 'utf8')
const parseSettings = (text: string): [name: string, value: string][] =>
  [...text.matchAll(/^Environment=(.*)$/gm)].flatMap((line) =>
    [...line[1]!.matchAll(/"([^"]*)"|\S+/g)].map((pair) => (pair[1] ?? pair[0]).split('=', 2) as [string, string]),
  )

test('systemd: every role of production has a unit', () => {
  expect(units.flatMap((name) => parseSettings(readUnit(name)).flatMap(([key, value]) => (key === 'ROLES' ? [value] : []))).toSorted()).toEqual(
    PRODUCTION_ROLES.toSorted(),
  )
})

test.each(units)('%s: known settings, folders of secrets that are loaded, time to drain', (name) => {
  const text = readUnit(name)
  const settings = parseSettings(text)
  expect(settings.map(([key]) => key).filter((key) => !isKnown(key))).toEqual([])
  const values = Object.fromEntries(settings)
  const loaded = [...text.matchAll(/^LoadCredential=(\w+):\/etc\/mingxi\/secrets\/\1$/gm)].map((line) => line[1])
  expect(values['SECRETS']).toBe(loaded.map((folder) => `%d/${folder}_`).join(' '))
  const stop = Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1] ?? 90)
  expect(stop * 1000).toBeGreaterThan(Number(values['DRAIN_NOTICE_MS'] ?? 0) + Number(values['DRAIN_MS'] ?? 0))
})

test('systemd-analyze reports no problem in the units', (context) => {
  if (spawnSync('systemd-analyze', ['--version']).status !== 0) return context.skip()
  const folder = mkdtempSync(join(tmpdir(), 'mingxi-units-'))
  try {
    cpSync(join(here, 'systemd'), folder, { recursive: true })
    // The program is not installed at the path in the units.
    const files = units.map((name) => {
      const file = join(folder, name.replace('@', '@3101'))
      writeFileSync(file, readUnit(name).replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'))
      return file
    })
    const said = spawnSync('systemd-analyze', ['verify', '--man=no', ...files], { encoding: 'utf8', env: { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` } })
    expect(said.stderr.split('\n').filter((line) => line.includes('mingxi'))).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

const proxy = readFileSync(join(here, 'haproxy/haproxy.cfg'), 'utf8')

test('the proxy sends the platform’s own paths under /v1 to the platform, by the path as the server reads it', () => {
  // The server decodes a path before routing; a comparison with the raw path would let /%6detrics pass.
  expect(proxy).toContain('http-request set-var(txn.path) path,url_dec\n')
  expect(proxy.match(/^.*(?<!txn\.)\bpath(?:_beg|_reg|_end|_sub)?\b(?!,url_dec).*$/gm)?.filter((line) => !line.trim().startsWith('#'))).toEqual([
    '    http-request redirect scheme https code 308 unless { ssl_fc } or { path /healthz }',
  ])
  const own = /acl own var\(txn\.path\) -m beg (.*)$/m.exec(proxy)![1]!.split(' ')
  const paths = features.flatMap((feature) => (feature.routes ?? []).flatMap(({ contract }) => Object.values(contract).map((endpoint) => endpoint.path)))
  const under = paths.filter((path) => path.startsWith('/v1'))
  expect(under.length).toBeGreaterThan(5)
  expect(under.filter((path) => !own.some((prefix) => path.startsWith(prefix)))).toEqual([])
  // SDKs wait ten minutes for the first byte.
  for (const side of ['client', 'server']) expect(Number(new RegExp(`timeout ${side} (\\d+)s`).exec(proxy)![1])).toBeGreaterThanOrEqual(600)
})

test('the proxy has a backend for each role that it leads to, on a machine and in compose, and answers for them in JSON', () => {
  const wanted = [...proxy.matchAll(/^ {4}(?:use|default)_backend (\w+)/gm)].map((line) => line[1]!)
  for (const place of ['machine', 'compose']) {
    const backends = readFileSync(join(here, `haproxy/${place}.cfg`), 'utf8')
    expect([...backends.matchAll(/^backend (\w+)$/gm)].map((line) => line[1]!).toSorted()).toEqual(wanted.toSorted())
    for (const [, body] of backends.matchAll(/http-error .* string '(.*)'$/gm))
      expect(JSON.parse(body!)).toMatchObject({ error: { message: expect.any(String) } })
  }
  const bodies = [...proxy.matchAll(/http-error status (\d+) .* string '(.*)'$/gm)].map((line) => [
    Number(line[1]),
    (JSON.parse(line[2]!) as { code: number }).code,
  ])
  expect(bodies.length).toBeGreaterThan(5)
  for (const [status, code] of bodies) expect(code).toBe(status)
})

test('compose: servers trust only the proxy’s fixed address for a client’s address, and no other container can get it', () => {
  const address = (compose.services['proxy']!.networks as Readonly<Record<string, { readonly ipv4_address?: string }>>)['outer']!.ipv4_address!
  expect(isIPv4(address)).toBe(true)
  for (const [name, { environment }] of ours) if (name !== 'migrate') expect([name, environment!['TRUST_PROXY']]).toEqual([name, address])
  const [{ subnet, ip_range: others }] = compose.networks.outer.ipam.config
  const lies = (range: string) => isInBlockList(createBlockList([range]), address)
  expect([lies(subnet), lies(others)]).toEqual([true, false])
})

test('the proxy hides metrics and readiness, and deletes the address headers of clients', () => {
  expect(proxy).toContain('    http-request deny deny_status 404 if { var(txn.path) -m str /metrics /readyz }\n')
  const deleted = [...proxy.matchAll(/^ {4}http-request del-header (\S+)$/gm)].map((line) => line[1])
  expect(deleted).toEqual(['x-forwarded-for', 'forwarded', 'x-real-ip'])
})

test('compose: the archive keeps WAL packed, gives it back as it was, and never overwrites another file of that name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mingxi-archive-'))
  const archive = (...words: string[]) => spawnSync('sh', [join(here, 'postgres/archive.sh'), ...words], { env: { ...process.env, ARCHIVE: folder } }).status
  try {
    const [wal, back] = [join(folder, 'wal'), join(folder, 'back')]
    writeFileSync(wal, Buffer.alloc(1_000_000, 'a segment of little content'))
    expect(archive('push', wal, '000000010000000000000001')).toBe(0)
    expect(archive('push', wal, '000000010000000000000001')).toBe(0)
    expect(statSync(join(folder, '000000010000000000000001.gz')).size).toBeLessThan(20_000)
    expect(archive('fetch', '000000010000000000000001', back)).toBe(0)
    expect(readFileSync(back).equals(readFileSync(wal))).toBe(true)
    expect(archive('fetch', '000000010000000000000002', back)).not.toBe(0)
    writeFileSync(wal, 'another')
    expect(archive('push', wal, '000000010000000000000001')).not.toBe(0)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
