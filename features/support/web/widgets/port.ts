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

/** Clear of what people press. */
export function computeOffsets(
  { place }: Boot,
  { mobile, signedIn }: { readonly mobile: boolean; readonly signedIn: boolean },
): { right: number; bottom: number } {
  return { right: place.right, bottom: mobile ? (signedIn ? place.mobileBottom : place.visitorMobileBottom) : place.bottom }
}
