import type { Deps, PageSources } from '#platform/server/feature.ts'
import { featuresUrl, widgetProvider } from './settings.ts'
import { listWidgetSources } from './vendors/index.ts'

/** Hosts that pages may contact: those of the chosen widget, and of the feature flags if they are hosted elsewhere. */
export async function listSupportSources({ settings, config }: Pick<Deps, 'settings' | 'config'>): Promise<PageSources> {
  const sources = listWidgetSources(await settings.get(widgetProvider), config)
  const flags = await settings.get(featuresUrl)
  return flags ? { ...sources, 'connect-src': [...(sources['connect-src'] ?? []), new URL(flags).origin] } : sources
}
