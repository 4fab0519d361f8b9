import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestedClient } from '#features/site/web/compatibility/results.ts'
import { models, useTarget } from '../sdk/target.ts'
import { CLIENTS } from './clients/index.ts'
import { VENDORS } from './driver.ts'
import type { Vendor } from './driver.ts'
import { FEATURES, check, leftOut } from './features.ts'
import { TOOLS, installTools } from './install.ts'
import { JOBS, doJobs } from './jobs.ts'
import type { Done, Job } from './jobs.ts'
import { report, versionOf } from './report.ts'
import { COMMAND_LINES } from './tools.ts'
import { watch } from './watch.ts'
import type { Watched } from './watch.ts'

/** `npm run conformance`: tests every client with every vendor's models. A complete run rewrites the compatibility page. */
const target = useTarget()
const MODELS: Readonly<Record<Vendor, string>> = { openai: models.reasoning, anthropic: models.claude, google: models.gemini3 }
const cells = new Map<string, Record<string, string>>()

function note(client: string, vendor: Vendor, feature: string, cell: string): void {
  const key = `${client} ${vendor}`
  cells.set(key, { ...cells.get(key), [feature]: cell })
}
const at = (vendor: Vendor) => ({ baseUrl: target.baseUrl, apiKey: target.apiKey, model: MODELS[vendor] })

describe.each(CLIENTS.flatMap((client) => VENDORS.map((vendor) => [client.label, vendor, client] as const)))('%s at a model of %s', (_, vendor, client) => {
  const asked = FEATURES.filter((feature) => leftOut(client, feature, vendor) === undefined)
  for (const feature of FEATURES) note(client.id, vendor, feature, leftOut(client, feature, vendor) ?? 'untried')
  test.each(asked)('%s', async (feature) => {
    note(client.id, vendor, feature, 'fail')
    await check(client, feature, at(vendor))
    note(client.id, vendor, feature, 'pass')
  })
})

describe.each(COMMAND_LINES.flatMap((tool) => VENDORS.map((vendor) => [tool.label, vendor, tool] as const)))('%s at a model of %s', (_, vendor, tool) => {
  let done: Readonly<Record<Job, Done>>
  let watched: Watched
  afterAll(() => watched.close())
  beforeAll(async () => {
    const folder = await installTools()
    const since = Date.now()
    watched = await watch(target.baseUrl)
    done = await doJobs(tool, { ...at(vendor), baseUrl: watched.baseUrl }, folder, async () => {
      const answer = await fetch(`${target.baseUrl}/sandbox/upstream/book?since=${since}&limit=1000`, { headers: { authorization: 'Bearer sandbox' } })
      return ((await answer.json()) as { entries: readonly unknown[] }).entries.length
    })
    for (const job of JOBS) note(tool.id, vendor, job, done[job].is)
  })
  test.each(JOBS)('%s', (job) => expect(done[job]).toEqual({ is: 'pass' }))
  test('it asks the way that it was set to', () => {
    const sockets = watched.asked.filter((line) => line.endsWith(' websocket'))
    const posts = watched.asked.filter((line) => line.startsWith('POST ') && /responses|messages|generateContent/i.test(line))
    expect({ sockets: sockets.length > 0, posts: posts.length > 0 }).toEqual({ sockets: tool.bySocket === true, posts: tool.bySocket !== true })
  })
})

afterAll(() => {
  const found = (id: string) => Object.fromEntries(VENDORS.map((vendor) => [vendor, cells.get(`${id} ${vendor}`) ?? {}]))
  const clients: TestedClient[] = [
    ...CLIENTS.map((client) => ({
      id: client.id,
      label: client.label,
      kind: 'sdk' as const,
      package: client.package,
      version: versionOf(client.package),
      vendor: client.vendor,
      cells: found(client.id),
    })),
    ...COMMAND_LINES.map((tool) => ({ id: tool.id, label: tool.label, kind: 'cli' as const, ...TOOLS[tool.id], vendor: tool.vendor, cells: found(tool.id) })),
  ]
  const isWhole = clients.every((client) =>
    Object.values(client.cells).every(
      (row) => Object.keys(row).length === (client.kind === 'sdk' ? FEATURES : JOBS).length && !Object.values(row).includes('untried'),
    ),
  )
  if (isWhole && process.env['MINGXI_BASE_URL'] === undefined) report({ on: new Date().toISOString().slice(0, 10), models: MODELS, clients })
})
