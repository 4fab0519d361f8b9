import type { WidgetConfig, WidgetSources, WidgetVendor } from './port.ts'
import { chatwoot } from './chatwoot/index.ts'
import { embedded } from './embedded/index.ts'
import { intercom } from './intercom/index.ts'

/** All widgets; the port's test suite runs against each. */
export const widgetVendors: readonly WidgetVendor[] = [embedded, intercom, chatwoot]

/** The configured widget if it has its credentials, else our own conversation, which needs none. */
export function chooseWidgetVendor(wish: string, config: WidgetConfig): WidgetVendor {
  return widgetVendors.find(({ id, available }) => id === wish && available(config)) ?? embedded
}

/** Content-security-policy sources for the chosen widget. */
export function listWidgetSources(wish: string, config: WidgetConfig): WidgetSources {
  return chooseWidgetVendor(wish, config).sources(config)
}
