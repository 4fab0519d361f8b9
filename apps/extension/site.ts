/** The site that the extension was downloaded from: the platform writes `site.json` into the archive (apps/server/pages/serve-extension.ts). */
export interface DownloadSite {
  readonly url: string
  readonly brandZh: string
  readonly brandEn: string
}

let siteRequest: Promise<DownloadSite> | undefined
export const loadDownloadSite = (): Promise<DownloadSite> =>
  (siteRequest ??= fetch(chrome.runtime.getURL('site.json')).then((reply) => reply.json() as Promise<DownloadSite>))

export interface ExtensionProxyAccount {
  readonly id: string
  readonly username: string
  readonly password: string
  readonly scheme: 'http' | 'https'
  readonly host: string
  readonly port: number
  readonly exit: { readonly name: string }
  readonly startedTime: string
  readonly expiresTime: string
  readonly upBytes: number
  readonly downBytes: number
  readonly allowedBytes: number
}

export interface PlatformReply<T> {
  readonly code: number
  readonly msg: string
  readonly data: T
}

/** A call of the platform. Rejects where there is no answer; a refusal is an answer. */
export async function postToPlatform<T>(path: string, body: object): Promise<PlatformReply<T>> {
  const { url } = await loadDownloadSite()
  const language = chrome.i18n.getMessage('languageId')
  const reply = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', language },
    body: JSON.stringify(body),
    credentials: 'omit',
    cache: 'no-store',
  })
  return (await reply.json()) as PlatformReply<T>
}
