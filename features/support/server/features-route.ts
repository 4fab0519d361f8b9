import { stringify } from 'yaml'
import type { RawRoute } from '#platform/server/feature.ts'
import { featureFlags, featuresUrl } from './settings.ts'

/** GET /features.yaml: what customers may do now, a `features:` map of booleans; or the way to the file elsewhere. Never cached. */
export const featuresRoute: RawRoute = {
  method: 'GET',
  path: '/features.yaml',
  role: 'api',
  handle: async ({ settings }) => {
    const elsewhere = await settings.get(featuresUrl)
    if (elsewhere) return { status: 302, type: 'text/plain; charset=utf-8', body: '', headers: { location: elsewhere } }
    const features = { ...featureFlags.fallback, ...(await settings.get(featureFlags)) }
    return { status: 200, type: 'application/yaml; charset=utf-8', body: stringify({ features }) }
  },
}
