/** cmdk bundles a dialog that is not used here: the palette has its own sheet. The build replaces it with this. */
const nothing = () => null

export { nothing as Content, nothing as Overlay, nothing as Portal, nothing as Root }
