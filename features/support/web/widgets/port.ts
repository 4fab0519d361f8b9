import type { ReplyOf } from '#platform/shared/contract.ts'
import type { supportContract } from '../../contract.ts'

export type Boot = ReplyOf<typeof supportContract.widget>

/** The browser half of a vendor's widget. */
export interface Widget {
  /** Loads the script and starts it as this user or visitor; resolves when its elements are in the page. Rejects with what to log. */
  load(boot: Boot, options: { readonly lang: string; readonly mobile: boolean; readonly signedIn: boolean }): Promise<void>
  /** Opens its window. */
  open(): void
  /** Another identity, after signing in. */
  update(boot: Boot): void
  /** The session ended: the widget forgets the person. */
  shutdown(): void
}

/** product.md 2.9: on top of everything but the page's own dialogs, clear of what people press. */
export const Z_INDEX = 2_147_483_000

export function offsets({ mobile, signedIn }: { readonly mobile: boolean; readonly signedIn: boolean }): { right: number; bottom: number } {
  return { right: 20, bottom: mobile ? (signedIn ? 110 : 160) : 100 }
}
