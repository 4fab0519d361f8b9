/** The alignment check of mailauth, which its own types omit. */
declare module 'mailauth/lib/tools.js' {
  /** Returns the first domain of the same organisation by the Public Suffix List; false if there is none. */
  export function getAlignment(fromDomain: string, domains: readonly string[]): { readonly domain: string } | false
}
