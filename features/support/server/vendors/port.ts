/** What a widget may know about the person in front of it: always the caller. `mobile` is E.164. */
export interface WidgetUser {
  readonly userId: string
  readonly email: string | undefined
  readonly mobile: string | undefined
}

/** The configuration of all vendors; each reads its own part. */
export type WidgetConfig = Readonly<Record<string, unknown>>

/** What the page needs to start a widget. */
export interface WidgetBoot {
  /** Address of the vendor's script; empty when there is none to load. */
  readonly script: string
  /** The same for everybody. */
  readonly settings: Readonly<Record<string, string | number | boolean>>
  /** The signed identity of the user; null for visitors. */
  readonly user: Readonly<Record<string, string>> | null
}

/** Addresses that pages may reach while the vendor is chosen, by directive of the content security policy. */
export type WidgetSources = Readonly<
  Partial<Record<`${'script' | 'style' | 'img' | 'font' | 'connect' | 'frame' | 'media' | 'worker'}-src`, readonly string[]>>
>

/** A chat widget. Its browser half is `web/widgets/<id>.ts`. */
export interface WidgetVendor {
  readonly id: string
  /** Whether `boot` reads the user; false spares the look-up. */
  readonly needsContact: boolean
  /** False without its credentials: then it is not offered. */
  available(config: WidgetConfig): boolean
  sources(config: WidgetConfig): WidgetSources
  boot(config: WidgetConfig, user: WidgetUser | undefined): WidgetBoot
}

/** A text of the configuration; empty when it is not set. */
export function textOf(config: WidgetConfig, name: string): string {
  const value = config[name]
  return typeof value === 'string' ? value : ''
}
