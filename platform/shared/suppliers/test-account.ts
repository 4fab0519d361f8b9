/** Settings as a vendor's folder reads them. */
type VendorSettings = Readonly<Record<string, unknown>>

/**
 * Names of the settings that reach a server other than the vendor's own: a stand-in, or the vendor's test system. `hosts` gives the host of live
 * accounts by setting; an absent setting has its default, which is live.
 */
export const listForeignAddresses = (config: VendorSettings, hosts: Readonly<Record<string, RegExp>>): string[] =>
  Object.entries(hosts).flatMap(([setting, own]) => {
    const value = config[setting]
    return typeof value === 'string' && !own.test(new URL(value).hostname) ? [setting] : []
  })

/** Names of the settings that hold a test key, recognised by its form. */
export const listTestKeys = (config: VendorSettings, forms: Readonly<Record<string, RegExp>>): string[] =>
  Object.entries(forms).flatMap(([setting, form]) => {
    const value = config[setting]
    return typeof value === 'string' && form.test(value) ? [setting] : []
  })

/** Names of the settings whose address is not https: no supplier on another machine is reached without it. */
export const listPlainAddresses = (config: VendorSettings, settings: readonly string[]): string[] =>
  settings.filter((setting) => {
    const value = config[setting]
    return typeof value === 'string' && !value.startsWith('https://')
  })
