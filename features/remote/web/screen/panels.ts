/** Panels beside the picture that are open. */
export interface OpenPanels {
  readonly clip: boolean
  readonly type: boolean
}
