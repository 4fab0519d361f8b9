import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { isIPv4 } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { isWithin, networksOf } from '#features/gateway/server/hot/request/address.ts'
import { features } from './features.ts'
import { platformConfig } from '#platform/server/config.ts'

// What cannot be run here is read: names, secrets and times that must fit each other and the program.
const here = join(import.meta.dirname, '../../deploy')
const known = new Set(Object.keys(Object.assign({}, platformConfig, ...features.map((feature) => feature.config ?? {}))))
/** Read by Node and the C library themselves. */
const NODES = new Set(['NODE_ENV', 'NODE_COMPILE_CACHE', 'NODE_OPTIONS', 'MALLOC_ARENA_MAX'])
const isKnown = (name: string) => NODES.has(name) || known.has(name) || (name.endsWith('_FILE') && known.has(name.slice(0, -5)))

interface Service {
  readonly image?: string
  readonly environment?: Readonly<Record<string, string | number>>
  readonly secrets?: readonly string[]
  readonly stop_grace_period?: string
  readonly healthcheck?: object
  readonly depends_on?: object
  readonly networks?: readonly string[] | Readonly<Record<string, { readonly ipv4_address?: string }>>
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly secrets: Readonly<Record<string, object>>
  readonly networks: { readonly outer: { readonly ipam: { readonly config: readonly [{ readonly subnet: string; readonly ip_range: string }] } } }
}
const compose = parse(readFileSync(join(here, 'compose.yaml'), 'utf8'), { merge: true }) as Compose
const ours = Object.entries(compose.services).filter(([, service]) => service.image?.startsWith('mingxi:'))

test('compose: every setting is one of the program’s, every secret is declared and mounted where it is named', () => {
  expect(ours.map(([name]) => name)).toEqual(['migrate', 'platform', 'worker', 'gateway', 'console'])
  for (const [name, { environment = {}, secrets = [] }] of ours) {
    expect([name, Object.keys(environment).filter((key) => !isKnown(key))]).toEqual([name, []])
    const named = Object.values(environment).flatMap((value) => /^\/run\/secrets\/(.+)$/.exec(String(value))?.[1] ?? [])
    expect([name, named.filter((secret) => !secrets.includes(secret))]).toEqual([name, []])
    expect([name, secrets.filter((secret) => !(secret in compose.secrets))]).toEqual([name, []])
    // A secret in the environment can be read by whoever may look at the process.
    expect(Object.keys(environment).filter((key) => /KEY$|TOKEN$|DATABASE_URL$/.test(key))).toEqual([])
  }
  expect(compose.services['gateway']).toMatchObject({ deploy: { replicas: 2 } })
  for (const [, service] of ours) expect(service.healthcheck).toBeDefined()
})

test('compose: nobody is killed before it has drained, and only one process migrates', () => {
  for (const name of ['gateway', 'platform']) {
    const { environment, stop_grace_period: grace } = compose.services[name]!
    const drain = Number(environment!['DRAIN_NOTICE_MS']) + Number(environment!['DRAIN_MS'])
    expect(Number(grace!.replace('s', '')) * 1000).toBeGreaterThan(drain)
  }
  expect(ours.filter(([, { environment }]) => environment!['MIGRATE'] !== 'check').map(([name]) => name)).toEqual(['migrate'])
})

const units = readdirSync(join(here, 'systemd'))
const unit = (name: string) => readFileSync(join(here, 'systemd', name), 'utf8')

test.each(units)('%s: known settings, credentials that are loaded, time to drain', (name) => {
  const text = unit(name)
  const settings = [...text.matchAll(/^Environment=(.*)$/gm)].flatMap((line) =>
    [...line[1]!.matchAll(/"([^"]*)"|\S+/g)].map((pair) => (pair[1] ?? pair[0]).split('=', 2) as [string, string]),
  )
  expect(settings.map(([key]) => key).filter((key) => !isKnown(key))).toEqual([])
  const loaded = [...text.matchAll(/^LoadCredential=(\w+):/gm)].map((line) => line[1])
  const named = settings.flatMap(([, value]) => /^%d\/(\w+)$/.exec(value)?.[1] ?? [])
  expect(named.toSorted()).toEqual(loaded.toSorted())
  const values = Object.fromEntries(settings)
  const stop = Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1] ?? 90)
  expect(stop * 1000).toBeGreaterThan(Number(values['DRAIN_NOTICE_MS'] ?? 0) + Number(values['DRAIN_MS'] ?? 0))
})

test('systemd finds nothing to say about the units', (context) => {
  if (spawnSync('systemd-analyze', ['--version']).status !== 0) return context.skip()
  const folder = mkdtempSync(join(tmpdir(), 'mingxi-units-'))
  try {
    // The program is not installed where the units expect it.
    const files = units.map((name) => {
      const file = join(folder, name.replace('@', '@3101'))
      writeFileSync(file, unit(name).replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'))
      return file
    })
    const said = spawnSync('systemd-analyze', ['verify', '--man=no', ...files], { encoding: 'utf8', env: { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` } })
    expect(said.stderr.split('\n').filter((line) => line.includes('mingxi'))).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the proxy sends the platform’s own paths under /v1 to the platform', () => {
  const config = readFileSync(join(here, 'haproxy.cfg'), 'utf8')
  const own = /acl own path_beg (.*)$/m.exec(config)![1]!.split(' ')
  const paths = features.flatMap((feature) => (feature.routes ?? []).flatMap(({ contract }) => Object.values(contract).map((endpoint) => endpoint.path)))
  const under = paths.filter((path) => path.startsWith('/v1'))
  expect(under.length).toBeGreaterThan(5)
  expect(under.filter((path) => !own.some((prefix) => path.startsWith(prefix)))).toEqual([])
  // SDKs wait ten minutes for a first byte.
  for (const side of ['client', 'server']) expect(Number(new RegExp(`timeout ${side} (\\d+)s`).exec(config)![1])).toBeGreaterThanOrEqual(600)
})

test('compose: the proxy is the only one whose word for a client’s address is believed, and it has that address for itself', () => {
  const { proxy } = compose.services
  const address = (proxy!.networks as Readonly<Record<string, { readonly ipv4_address?: string }>>)['outer']!.ipv4_address!
  expect(isIPv4(address)).toBe(true)
  for (const [name, { environment }] of ours) expect([name, environment!['TRUST_PROXY']]).toEqual([name, address])
  const [{ subnet, ip_range: others }] = compose.networks.outer.ipam.config
  const lies = (range: string) => isWithin(networksOf([range]), address)
  expect([lies(subnet), lies(others)]).toEqual([true, false])
})

test('the proxy keeps figures and readiness to itself, however their paths are spelled', () => {
  const [, test = '', paths = ''] =
    /^ {4}http-request deny deny_status 404 if \{ (\S+) -m str (.*) \}$/m.exec(readFileSync(join(here, 'haproxy.cfg'), 'utf8')) ?? []
  // The server decodes a path before it looks for a route; compared as it came, /%6detrics would pass.
  expect([test, paths.split(' ').toSorted()]).toEqual(['path,url_dec', ['/metrics', '/readyz']])
})

test('the proxy deletes what clients say of their address before it says it itself', () => {
  const frontend = /^frontend public$[\s\S]*?(?=^backend)/m.exec(readFileSync(join(here, 'haproxy.cfg'), 'utf8'))![0]
  const deleted = [...frontend.matchAll(/^ {4}http-request del-header (\S+)$/gm)].map((line) => line[1])
  expect(deleted).toEqual(['x-forwarded-for', 'forwarded', 'x-real-ip'])
})
