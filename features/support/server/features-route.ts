import { stringify } from 'yaml'
import type { Deps, RawRoute } from '#platform/server/feature.ts'
import { featureFlags, featuresUrl } from './settings.ts'

const flagsNow = async (settings: Deps['settings']): Promise<Record<string, boolean>> => ({ ...featureFlags.fallback, ...(await settings.get(featureFlags)) })

/** What the route table asks before every call that has a `flag`. Names nobody has set are on. */
export const isOn = async ({ settings }: Pick<Deps, 'settings'>, flag: string): Promise<boolean> => (await flagsNow(settings))[flag] !== false

/** GET /features.yaml: what customers may do now, a `features:` map of booleans; or the way to the file elsewhere. Never cached. */
export const featuresRoute: RawRoute = {
  method: 'GET',
  path: '/features.yaml',
  role: 'api',
  handle: async ({ settings }) => {
    const elsewhere = await settings.get(featuresUrl)
    if (elsewhere) return { status: 302, type: 'text/plain; charset=utf-8', body: '', headers: { location: elsewhere } }
    return { status: 200, type: 'application/yaml; charset=utf-8', body: stringify({ features: await flagsNow(settings) }) }
  },
}
