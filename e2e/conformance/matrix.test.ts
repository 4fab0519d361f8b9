import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestedClient } from '#features/site/web/compatibility/results.ts'
import { SDK_MODELS, useSdkTarget } from '../sdk/target.ts'
import { CLIENT_DRIVERS } from './clients/index.ts'
import { CONFORMANCE_VENDORS } from './driver.ts'
import type { ConformanceVendor } from './driver.ts'
import { CONFORMANCE_FEATURES, checkConformance, findSkipReason } from './features.ts'
import { PINNED_CLIENTS, installPinnedClients, COMMAND_LINE_JOBS, runCommandLineJobs, COMMAND_LINES } from './jobs.ts'
import type { JobOutcome, CommandLineJob } from './jobs.ts'
import { writeConformanceReport, readPackageVersion } from './report.ts'
import { startRequestRecorder } from './request-recorder.ts'
import type { RequestRecorder } from './request-recorder.ts'

/** `npm run conformance`: tests every client with every vendor's models. A complete run rewrites the compatibility page. */
const target = useSdkTarget()
const MODELS: Readonly<Record<ConformanceVendor, string>> = { openai: SDK_MODELS.reasoning, anthropic: SDK_MODELS.claude, google: SDK_MODELS.gemini3 }
const cells = new Map<string, Record<string, string>>()

function recordCell(client: string, vendor: ConformanceVendor, { feature, cell }: { readonly feature: string; readonly cell: string }): void {
  const key = `${client} ${vendor}`
  cells.set(key, { ...cells.get(key), [feature]: cell })
}
const toTarget = (vendor: ConformanceVendor) => ({ baseUrl: target.baseUrl, apiKey: target.apiKey, model: MODELS[vendor] })

describe.each(CLIENT_DRIVERS.flatMap((client) => CONFORMANCE_VENDORS.map((vendor) => [client.label, vendor, client] as const)))(
  '%s at a model of %s',
  (_, vendor, client) => {
    const asked = CONFORMANCE_FEATURES.filter((feature) => findSkipReason(client, feature, vendor) === undefined)
    for (const feature of CONFORMANCE_FEATURES) recordCell(client.id, vendor, { feature, cell: findSkipReason(client, feature, vendor) ?? 'untried' })
    test.each(asked)('%s', async (feature) => {
      recordCell(client.id, vendor, { feature, cell: 'fail' })
      await checkConformance(client, feature, toTarget(vendor))
      recordCell(client.id, vendor, { feature, cell: 'pass' })
    })
  },
)

describe.each(COMMAND_LINES.flatMap((tool) => CONFORMANCE_VENDORS.map((vendor) => [tool.label, vendor, tool] as const)))(
  '%s at a model of %s',
  (_, vendor, tool) => {
    let done: Readonly<Record<CommandLineJob, JobOutcome>>
    let watched: RequestRecorder
    afterAll(() => watched.close())
    beforeAll(async () => {
      const folder = await installPinnedClients()
      const since = Date.now()
      watched = await startRequestRecorder(target.baseUrl)
      done = await runCommandLineJobs(
        tool,
        { ...toTarget(vendor), baseUrl: watched.baseUrl },
        {
          tools: folder,
          requests: async () => {
            const answer = await fetch(`${target.baseUrl}/sandbox/upstream/book?since=${since}&limit=1000`, { headers: { authorization: 'Bearer sandbox' } })
            return ((await answer.json()) as { entries: readonly unknown[] }).entries.length
          },
        },
      )
      for (const job of COMMAND_LINE_JOBS) recordCell(tool.id, vendor, { feature: job, cell: done[job].is })
    })
    test.each(COMMAND_LINE_JOBS)('%s', (job) => expect(done[job]).toEqual({ is: 'pass' }))
    test('it asks the way that it was set to', () => {
      const sockets = watched.asked.filter((line) => line.endsWith(' websocket'))
      const posts = watched.asked.filter((line) => line.startsWith('POST ') && /responses|messages|generateContent/i.test(line))
      expect({ sockets: sockets.length > 0, posts: posts.length > 0 }).toEqual({ sockets: tool.bySocket === true, posts: tool.bySocket !== true })
    })
  },
)

afterAll(() => {
  const found = (id: string) => Object.fromEntries(CONFORMANCE_VENDORS.map((vendor) => [vendor, cells.get(`${id} ${vendor}`) ?? {}]))
  const clients: TestedClient[] = [
    ...CLIENT_DRIVERS.map((client) => ({
      id: client.id,
      label: client.label,
      kind: 'sdk' as const,
      package: client.package,
      version: readPackageVersion(client.package),
      vendor: client.vendor,
      cells: found(client.id),
    })),
    ...COMMAND_LINES.map((tool) => ({
      id: tool.id,
      label: tool.label,
      kind: 'cli' as const,
      ...PINNED_CLIENTS[tool.id],
      vendor: tool.vendor,
      cells: found(tool.id),
    })),
  ]
  const isWhole = clients.every((client) =>
    Object.values(client.cells).every(
      (row) => Object.keys(row).length === (client.kind === 'sdk' ? CONFORMANCE_FEATURES : COMMAND_LINE_JOBS).length && !Object.values(row).includes('untried'),
    ),
  )
  if (isWhole && process.env['MINGXI_BASE_URL'] === undefined) writeConformanceReport({ on: new Date().toISOString().slice(0, 10), models: MODELS, clients })
})
