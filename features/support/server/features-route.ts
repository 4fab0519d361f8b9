import type * as Yaml from 'yaml'
import type { Deps, RawRoute } from '#platform/server/feature.ts'
import { loadPackage } from '#platform/server/load-package.ts'
import { isInGradualGroup } from '#features/account/server/door.ts'
import { featureFlags, featuresUrl, gradualFeatures } from './settings.ts'

const readFeatureFlags = async (settings: Deps['settings']): Promise<Record<string, boolean>> => ({
  ...featureFlags.fallback,
  ...(await settings.get(featureFlags)),
})

/** Checks a flag for a user; called before every endpoint with a `flag`. Unset flags are on. */
export async function isFlagOn(deps: Pick<Deps, 'settings'>, flag: string, userId: string): Promise<boolean> {
  if ((await readFeatureFlags(deps.settings))[flag] === false) return false
  return !(await deps.settings.get(gradualFeatures)).includes(flag) || (await isInGradualGroup(deps, userId))
}

/** The flags for /features.yaml: gradual releases are off in `features`; `gradual` has the flags that are on for the gradual group. */
async function buildFlagsFile(settings: Deps['settings']): Promise<Record<string, Record<string, boolean>>> {
  const features = await readFeatureFlags(settings)
  const names = (await settings.get(gradualFeatures)).filter((name) => features[name] !== false)
  const all = (value: boolean) => Object.fromEntries(names.map((name) => [name, value]))
  return { features: { ...features, ...all(false) }, ...(names.length ? { gradual: all(true) } : {}) }
}

/**
 * GET /features.yaml: the current features of customers, a `features:` map of booleans, and one of `gradual:` releases, if any; or the
 * location of the file elsewhere. Never cached.
 */
export const featuresRoute: RawRoute = {
  method: 'GET',
  path: '/features.yaml',
  role: 'api',
  handle: async ({ settings }) => {
    const elsewhere = await settings.get(featuresUrl)
    if (elsewhere) return { status: 302, type: 'text/plain; charset=utf-8', body: '', headers: { location: elsewhere } }
    return { status: 200, type: 'application/yaml; charset=utf-8', body: loadPackage<typeof Yaml>('yaml').stringify(await buildFlagsFile(settings)) }
  },
}
