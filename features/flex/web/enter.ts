import { openWindow } from '#ui/open-window.ts'
import type { FlexUse } from '../contract.ts'
import type { FlexService } from '../packages.ts'
import { packageOf } from '../packages.ts'
import { rewriteShareUrl } from '../share-url.ts'
import { flexApi } from './flex-api.ts'

/** Goes to the shared account in a window of its own, which is opened by the press itself and learns nothing of this page. */
export async function enterShared(use: FlexUse, service: FlexService): Promise<'opened' | 'blocked' | 'unsafe'> {
  const opened = openWindow('about:blank')
  try {
    const ask = packageOf(use.shareType ?? 0)?.trial ? flexApi.shareTrialUrl : flexApi.shareUrl
    const { shareUrl, hostDigits } = await ask({ platform: use.platformId, service })
    const digit = crypto.getRandomValues(new Uint8Array(1))[0]! % 10
    const url = rewriteShareUrl(shareUrl, { service, ...(hostDigits ? { digit } : {}) })
    if (url === undefined) {
      opened?.close()
      return 'unsafe'
    }
    if (!opened) return 'blocked'
    opened.opener = null
    opened.location.replace(url)
    return 'opened'
  } catch (error) {
    opened?.close()
    throw error
  }
}
