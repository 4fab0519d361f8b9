import { createPrivateKey, createSign } from 'node:crypto'
import { z } from 'zod'
import { sendOutgoingRequest } from '#platform/server/http/http-client.ts'
import type { OutgoingReply } from '#platform/server/http/http-client.ts'
import { addNano } from '#platform/shared/money.ts'
import { parseReportUsd } from '../report-port.ts'
import type { ReportedUse, ReportRequest, UsageReport } from '../report-port.ts'

/**
 * Google reports use and cost in the Cloud Billing export to BigQuery (standard usage cost table), by SKU: `usage.amount` in tokens,
 * `cost` with credits separate. Queried over BigQuery's REST API (jobs.query) as a service account. The table is about a day late
 * and gets corrected: the comparison re-reads each day for a month. SKUs name models in words ("Gemini 3.8 Flash Input Text"), which
 * are converted to ids here. https://docs.cloud.google.com/billing/docs/how-to/export-data-bigquery-tables/standard-usage
 */
const serviceAccount = z.object({ client_email: z.string(), private_key: z.string(), token_uri: z.url().default('https://oauth2.googleapis.com/token') })
const queryAnswer = z.object({
  jobComplete: z.boolean(),
  pageToken: z.string().optional(),
  rows: z.array(z.object({ f: z.array(z.object({ v: z.string().nullable() })) })).optional(),
})
const TABLE = /^([a-z][a-z0-9-]{4,28}[a-z0-9])\.(\w{1,1024})\.([\w-]{1,1024})$/
const SCOPE = 'https://www.googleapis.com/auth/bigquery'
const DEADLINE_MS = 90_000

export const googleReport: UsageReport = {
  needs: ['GOOGLE_BILLING_TABLE', 'GOOGLE_SERVICE_ACCOUNT'],
  takes: ['GOOGLE_BILLING_PROJECT'],
  read: async (question): Promise<ReportedUse[]> => {
    const { send, config, day } = question
    const [table, home] = TABLE.exec(config('GOOGLE_BILLING_TABLE')!) ?? []
    if (!table || !home) throw new Error('GOOGLE_BILLING_TABLE is not project.dataset.table')
    const token = await fetchAccessToken(question)
    const project = config('GOOGLE_BILLING_PROJECT')
    const parameter = (name: string, type: string, value: string) => ({ name, parameterType: { type }, parameterValue: { value } })
    const body = JSON.stringify({
      useLegacySql: false,
      timeoutMs: 60_000,
      maxResults: 10_000,
      parameterMode: 'NAMED',
      query: `select sku.description, sum(usage.amount), sum(cost) + sum(ifnull((select sum(c.amount) from unnest(credits) c), 0)), currency
        from \`${table}\` where service.description in ('Gemini API', 'Generative Language API') and usage_start_time >= @low and usage_start_time < timestamp_add(@low, interval 1 day)
        ${project ? 'and project.id = @project' : ''} group by 1, 4 order by 1`,
      queryParameters: [parameter('low', 'TIMESTAMP', `${day}T00:00:00Z`), ...(project ? [parameter('project', 'STRING', project)] : [])],
    })
    const reply = await sendOutgoingRequest(send, {
      method: 'POST',
      url: `https://bigquery.googleapis.com/bigquery/v2/projects/${home}/queries`,
      headers: { 'authorization': `Bearer ${token}`, 'content-type': 'application/json' },
      body,
      deadlineMs: DEADLINE_MS,
    })
    const { jobComplete, pageToken, rows = [] } = queryAnswer.parse(parseReply(reply, 'BigQuery'))
    if (!jobComplete || pageToken) throw new Error('BigQuery did not give the whole answer')
    return sumBySku(rows.map((row) => row.f.map((cell) => cell.v ?? '')))
  },
}

function sumBySku(rows: readonly (readonly string[])[]): ReportedUse[] {
  const models = new Map<string, { input: bigint; cached: bigint; output: bigint; cost: bigint }>()
  for (const [sku = '', used = '', spent = '', currency = ''] of rows) {
    if (currency !== 'USD') throw new Error(`a cost in ${currency}`)
    const model = parseSkuModel(sku)
    const sums = models.get(model) ?? { input: 0n, cached: 0n, output: 0n, cost: 0n }
    models.set(model, sums)
    sums.cost = addNano(sums.cost, parseReportUsd(Number(spent)))
    const tokens = BigInt(Math.round(Number(used)))
    if (/stor/i.test(sku)) continue // storage of a cache is billed by the hour
    if (/output|response|thinking/i.test(sku)) sums.output += tokens
    else if (/cach/i.test(sku)) {
      sums.cached += tokens
      sums.input += tokens
    } else if (/input|prompt|embed/i.test(sku)) sums.input += tokens
  }
  return [...models].map(([model, sums]) => ({ model, calls: undefined, ...sums }))
}

/** "Generate content input token count gemini 3.8 flash lite text input" -> gemini-3.8-flash-lite. */
export function parseSkuModel(sku: string): string {
  const words = sku
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, ' ')
    .trim()
    .split(' ')
  const at = words.indexOf('gemini')
  if (at < 0) return 'other'
  const name: string[] = []
  for (const word of words.slice(at)) {
    if (!/^(gemini|embedding|\d+(\.\d+)?|pro|flash|lite|nano|ultra|argon|preview|live|image|tts|native|audio|00\d)$/.test(word)) break
    if ((word === 'image' || word === 'audio') && name.length > 2) break // "... flash image input": a class of tokens
    name.push(word)
  }
  return name.join('-')
}

/** A service account's token (RFC 7523): an hour's assertion, signed with its key. */
async function fetchAccessToken({ send, config, now }: ReportRequest): Promise<string> {
  const { client_email: issuer, private_key: key, token_uri: audience } = serviceAccount.parse(JSON.parse(config('GOOGLE_SERVICE_ACCOUNT')!))
  const seconds = Math.floor(now.getTime() / 1000)
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claim = `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ iss: issuer, scope: SCOPE, aud: audience, iat: seconds, exp: seconds + 3600 })}`
  const signature = createSign('RSA-SHA256').update(claim).sign(createPrivateKey(key), 'base64url')
  const reply = await sendOutgoingRequest(send, {
    method: 'POST',
    url: audience,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: `${claim}.${signature}` }).toString(),
    deadlineMs: DEADLINE_MS,
  })
  return z.object({ access_token: z.string() }).parse(parseReply(reply, 'the token endpoint')).access_token
}

function parseReply(reply: OutgoingReply, who: string): unknown {
  if (reply.status !== 200) throw new Error(`${who} answered ${reply.status}`)
  return JSON.parse(reply.body.toString())
}
