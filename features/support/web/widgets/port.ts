import type { ReplyOf } from '#platform/shared/contract.ts'
import type { supportContract } from '../../contract.ts'
import type { Lang } from '#platform/shared/languages.ts'

export type Boot = ReplyOf<typeof supportContract.widget>

/** The browser half of a vendor's widget. */
export interface Widget {
  /** Loads the script and starts it as this user or visitor; resolves once its elements are in the page. Rejects with the error to log. */
  load(boot: Boot, options: { readonly lang: Lang; readonly mobile: boolean; readonly signedIn: boolean }): Promise<void>
  /** Opens the widget's window. */
  open(): void
  /** Changes the identity after sign-in. */
  update(boot: Boot): void
  /** Ends the widget's session and clears the identity. */
  shutdown(): void
}

/** Computes the launcher's offsets, so that it does not cover controls. */
export function computeOffsets(
  { place }: Boot,
  { mobile, signedIn }: { readonly mobile: boolean; readonly signedIn: boolean },
): { right: number; bottom: number } {
  return { right: place.right, bottom: mobile ? (signedIn ? place.mobileBottom : place.visitorMobileBottom) : place.bottom }
}
