import { storeValue } from '#platform/web/state/storage.ts'
import { openWindow } from '#ui/open-window.ts'
import type { FlexUse } from '../contract.ts'
import type { FlexService } from '../packages.ts'
import { findFlexPackage } from '../packages.ts'
import { rewriteShareUrl } from '../share-url.ts'
import { flexApi } from './flex-api.ts'

export interface EnterOutcome {
  readonly how: 'opened' | 'blocked' | 'unsafe'
  /** Password that the chat page may ask for; empty if it asks for none. */
  readonly secret: string
}

/** Opens the shared account in a new window. The click itself opens it, so no popup blocker interferes, and it gets no reference to this page. */
export async function openSharedPage(use: FlexUse, service: FlexService): Promise<EnterOutcome> {
  const opened = openWindow('about:blank')
  try {
    const ask = findFlexPackage(use.shareType ?? 0)?.trial ? flexApi.shareTrialUrl : flexApi.shareUrl
    const { shareUrl, hostDigits, chatSecret, expiresTime } = await ask({ platform: use.platformId, service })
    const digit = crypto.getRandomValues(new Uint8Array(1))[0]! % 10
    const url = rewriteShareUrl(shareUrl, { service, ...(hostDigits ? { digit } : {}) })
    if (url === undefined) {
      opened?.close()
      return { how: 'unsafe', secret: '' }
    }
    if (chatSecret) storeValue('chatSecret', chatSecret, Math.max(1000, Date.parse(expiresTime) - Date.now()))
    if (!opened) return { how: 'blocked', secret: chatSecret }
    opened.opener = null
    opened.location.replace(url)
    return { how: 'opened', secret: chatSecret }
  } catch (error) {
    opened?.close()
    throw error
  }
}
