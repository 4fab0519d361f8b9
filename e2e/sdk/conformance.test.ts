import { describe, test } from 'vitest'
import { CLIENT_DRIVERS } from '../conformance/clients/index.ts'
import { CONFORMANCE_VENDORS } from '../conformance/driver.ts'
import { CONFORMANCE_FEATURES, checkConformance, findSkipReason } from '../conformance/features.ts'
import { SDK_MODELS, useSdkTarget } from './target.ts'

/**
 * Each client with its own vendor's model and with another's in turn; CONFORMANCE=all uses all three. The whole matrix, with the
 * command-line clients, is `npm run conformance`.
 */
const target = useSdkTarget()
const MODELS = { openai: SDK_MODELS.reasoning, anthropic: SDK_MODELS.claude, google: SDK_MODELS.gemini3 } as const
const PAIRS = CLIENT_DRIVERS.flatMap((client, at) => CONFORMANCE_VENDORS.map((vendor, index) => ({ client, vendor, isOften: index === at % 3 }))).filter(
  ({ client, vendor, isOften }) => process.env['CONFORMANCE'] === 'all' || (client.vendor !== vendor && isOften),
)

describe.each(PAIRS.map(({ client, vendor }) => [client.id, vendor, client] as const))('%s at a model of %s', (_, vendor, client) => {
  const asked = CONFORMANCE_FEATURES.filter((feature) => findSkipReason(client, feature, vendor) === undefined)
  test.each(asked)('%s', async (feature) => {
    await checkConformance(client, feature, { baseUrl: target.baseUrl, apiKey: target.apiKey, model: MODELS[vendor] })
  })
})
