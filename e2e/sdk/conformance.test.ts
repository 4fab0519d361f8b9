import { describe, test } from 'vitest'
import { CLIENTS } from '../conformance/clients/index.ts'
import { VENDORS } from '../conformance/driver.ts'
import { FEATURES, check, leftOut } from '../conformance/features.ts'
import { models, useTarget } from './target.ts'

/**
 * Every client at its own vendor's model and at another's by turns; CONFORMANCE=all takes all three. The whole matrix,
 * with the command-line clients, is `npm run conformance`.
 */
const target = useTarget()
const MODELS = { openai: models.reasoning, anthropic: models.claude, google: models.gemini3 } as const
const PAIRS = CLIENTS.flatMap((client, at) => VENDORS.map((vendor, index) => ({ client, vendor, isOften: index === at % 3 }))).filter(
  ({ client, vendor, isOften }) => process.env['CONFORMANCE'] === 'all' || (client.vendor !== vendor && isOften),
)

describe.each(PAIRS.map(({ client, vendor }) => [client.id, vendor, client] as const))('%s at a model of %s', (_, vendor, client) => {
  const asked = FEATURES.filter((feature) => leftOut(client, feature, vendor) === undefined)
  test.each(asked)('%s', async (feature) => {
    await check(client, feature, { baseUrl: target.baseUrl, apiKey: target.apiKey, model: MODELS[vendor] })
  })
})
