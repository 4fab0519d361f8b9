/** Data of the current user for a widget. `mobile` is E.164. */
export interface WidgetUser {
  readonly userId: string
  readonly email: string | undefined
  readonly mobile: string | undefined
}

/** The configuration of all vendors; each reads its own part. */
export type WidgetConfig = Readonly<Record<string, unknown>>

/** Data for the page to start a widget. */
export interface WidgetBoot {
  /** URL of the vendor's script; empty if there is none. */
  readonly script: string
  /** Settings, identical for all users. */
  readonly settings: Readonly<Record<string, string | number | boolean>>
  /** Signed identity of the user; null for visitors. */
  readonly user: Readonly<Record<string, string>> | null
}

/** Sources that pages may load while the vendor is chosen, by directive of the content security policy. */
export type WidgetSources = Readonly<
  Partial<Record<`${'script' | 'style' | 'img' | 'font' | 'connect' | 'frame' | 'media' | 'worker'}-src`, readonly string[]>>
>

/** A chat widget. Its browser half is `web/widgets/<id>.ts`. */
export interface WidgetVendor {
  readonly id: string
  /** True if `boot` reads the user; false saves the query. */
  readonly needsContact: boolean
  /** False without credentials: the vendor is not offered. */
  available(config: WidgetConfig): boolean
  sources(config: WidgetConfig): WidgetSources
  boot(config: WidgetConfig, user: WidgetUser | undefined): WidgetBoot
}

/** Reads a text of the configuration; empty if it is not set. */
export function readConfigText(config: WidgetConfig, name: string): string {
  const value = config[name]
  return typeof value === 'string' ? value : ''
}
