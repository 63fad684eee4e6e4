"""The portal: start a proof in a browser and watch it; with Dagster behind it, or on its own."""
