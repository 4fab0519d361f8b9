/** Which parts beside the picture are open. */
export interface Panels {
  readonly clip: boolean
  readonly type: boolean
}
