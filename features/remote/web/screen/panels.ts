/** Which parts beside the picture are open. */
export interface OpenPanels {
  readonly clip: boolean
  readonly type: boolean
}
