import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** One script and one style beside `index.html`, below `/chat`, where the server has them. */
// biome-ignore lint/style/noDefaultExport: Vite reads it
export default defineConfig({
  base: "/chat/",
  plugins: [react()],
  build: {
    modulePreload: { polyfill: false },
    rollupOptions: {
      output: { entryFileNames: "chat.js", assetFileNames: "chat[extname]" },
    },
  },
});
