// One press starts one proof: the key in the form does it; this only shows that it was pressed.
"use strict";
const form = document.querySelector("form.start");
if (form) {
  form.addEventListener("submit", (event) => {
    if (form.ariaBusy === "true") event.preventDefault();
    form.ariaBusy = "true";
  });
}
// a page out of the browser's memory would hold an old key
window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
