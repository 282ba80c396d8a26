/** The one door to lit-html, so that its address stands in one place. */
export { html, svg, render, nothing } from "/web/vendor/lit-html/lit-html.js";
export { repeat } from "/web/vendor/lit-html/directives/repeat.js";
export { classMap } from "/web/vendor/lit-html/directives/class-map.js";
export { live } from "/web/vendor/lit-html/directives/live.js";
export { ref } from "/web/vendor/lit-html/directives/ref.js";
export { guard } from "/web/vendor/lit-html/directives/guard.js";
export { ifDefined } from "/web/vendor/lit-html/directives/if-defined.js";
export { keyed } from "/web/vendor/lit-html/directives/keyed.js";
